import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { newRequestId } from '@gateway/core';
import { projectRoot, type ServerProcess } from '../../scripts/server-process.ts';
import type { Stack } from '../../scripts/stack.ts';
import {
  environmentWithoutSettings,
  newSealingKeys,
  writeConfigFile,
} from '../../scripts/stack-environment.ts';
import { alertsFiring, scrape } from '../support/alerts/firing-alerts.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient, messagesOf } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { queryRedis } from '../support/redis/query-redis.ts';
import { copyStore, type StoreCopy } from '../support/redis/store-copy.ts';
import { simulatedCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';

const KEY_PREFIX = 'night-old-store:';
/** Short, so that a copy is old after some steps of the night. */
const OLD_STORE_SECONDS = 4;
const SENTENCE = 'The store may be an older copy, so none of its jobs runs';
/** Renewals in which a process would have begun a job. */
const RENEWALS = 3;
const HOLD_MS = 60_000;

describe('a night in which an older copy of the store comes back', function () {
  this.timeout(300_000);
  const sealingKeys = newSealingKeys();
  const config = {
    redis: { key_prefix: KEY_PREFIX },
    jobs: { lock_seconds: 3, sweep_seconds: 1, recheck_seconds: 2, old_store_seconds: OLD_STORE_SECONDS },
  };
  let stack: Stack;
  let control: CloudsimControl;
  let gateway: GatewayClient;
  let copy: StoreCopy;

  beforeEach(async () => {
    stack = await startTestStack({
      ...simulatedCloud,
      ownRedis: true,
      cloudsimEnv: { CLOUDSIM_DELAY_SCALE: '0.05' },
      env: { GATEWAY_SEALING_KEYS: sealingKeys },
      config,
    });
    control = new CloudsimControl(stack.cloudsim?.url ?? '');
    gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
  });

  afterEach(async () => {
    await stack?.stop();
    copy?.remove();
  });

  const redis = () => stack.redis ?? assert.fail('The stack has no Redis.');
  const processes = () => [...stack.workers, ...stack.apis];

  /** Creates an instance with a volume; `during` is called while the server is being created. */
  async function createDuring(
    during: () => Promise<void>,
  ): Promise<{ requestId: string; jobId: string; id: string }> {
    const requestId = newRequestId();
    const hold = await control.hold('after', { requestId, service: 'compute', operation: 'servers.create' });
    const request = await gateway.smallInstanceRequest('night');
    const body = { ...request, new_volumes: [{ name: 'kept', size_gb: 1 }] };
    const stream = await gateway.createInstance(body, requestId);
    assert.equal(await hold.waitUntilReached(HOLD_MS), 'held');
    await during();
    await hold.release();
    const last = (await messagesOf(stream)).at(-1);
    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    return { requestId, jobId: stream.headers.get('x-job-id') ?? '', id: last?.instance_id ?? '' };
  }

  /** The instance is deleted, and its volume is kept. */
  async function createAndDelete(): Promise<{ requestId: string; jobId: string }> {
    const created = await createDuring(async () => {
      copy = await copyStore(redis());
    });
    assert.equal((await gateway.request('DELETE', `/api/instances/${created.id}`)).status, 204);
    await eventually(async () => (await keptVolumes()) === 'available');
    await eventually(async () => Date.now() > copy.copiedAt + OLD_STORE_SECONDS * 1000);
    return created;
  }

  /** The states of the volumes that the instance leaves. */
  async function keptVolumes(): Promise<string> {
    const volumes = await gateway.read<{ name: string; status: string }[]>('/api/volumes?refresh=true');
    return volumes.flatMap(({ name, status }) => (name === 'kept' ? [status] : [])).join();
  }

  function restore(...words: string[]): Promise<string> {
    const args = ['apps/worker/src/restore/main.ts', ...words];
    const env = {
      ...environmentWithoutSettings(),
      GATEWAY_SEALING_KEYS: sealingKeys,
      REDIS_URL: stack.redisUrl,
      GATEWAY_CONFIG: writeConfigFile(config),
      OS_AUTH_URL: stack.identityUrl ?? '',
    };
    return promisify(execFile)(process.execPath, args, { cwd: projectRoot, env }).then(
      ({ stdout }) => stdout,
    );
  }

  async function restartAll(): Promise<void> {
    await Promise.all(processes().map((one) => one.restart()));
  }

  const isReady = async ({ url }: ServerProcess) => (await fetch(`${url}/health?ready=true`)).ok;

  /** Asserts that everybody says it, and that nothing has been called for the job. */
  async function assertHeld(requestId: string): Promise<void> {
    const before = (await control.calls(requestId)).length;
    await eventually(async () => {
      for (const one of processes()) assert.match(one.logs().join('\n'), new RegExp(SENTENCE), one.name);
      return true;
    });
    for (const worker of stack.workers) assert.equal(await isReady(worker), false);
    const health = await gateway.read<{ status: string; jobs: string }>('/api/health');
    assert.deepEqual([health.status, health.jobs], ['degraded', 'held']);
    const refused = await gateway.request<{ code: string }>(
      'POST',
      '/api/instances/async',
      await gateway.smallInstanceRequest('refused'),
    );
    assert.deepEqual([refused.status, refused.body.code], [503, 'store_unavailable']);
    assert.equal((await gateway.request('GET', '/api/instances')).status, 200);
    await untilRenewed();
    assert.equal((await control.calls(requestId)).length, before, 'no call for the job');
    const targets = await scrape(stack);
    assert.deepEqual(await alertsFiring([{ atMinutes: 0, targets }], 0), ['GatewayStoreHeld']);
  }

  /** Waits until the processes have renewed their use of the store several times. */
  async function untilRenewed(): Promise<void> {
    const lastUse = () =>
      queryRedis(redis().port, async (asked) => {
        const [, score = '0'] = await asked.zrevrange(`${KEY_PREFIX}{jobs}:store-uses`, 0, 0, 'WITHSCORES');
        return score;
      });
    for (let seen = await lastUse(), count = 0; count < RENEWALS; count += 1) {
      const known = seen;
      seen = await eventually(async () => ((await lastUse()) === known ? undefined : lastUse()));
    }
  }

  async function untilReleased(): Promise<void> {
    await eventually(async () => {
      for (const worker of stack.workers) if (!(await isReady(worker))) return undefined;
      return (await gateway.read<{ jobs: string }>('/api/health')).jobs === 'ok';
    });
  }

  it('removes nothing, says so, and continues after the command restore', async () => {
    const { requestId, jobId } = await createAndDelete();
    await Promise.all(processes().map((one) => one.stop()));
    await copy.putBack(redis());
    // A process that only reads must not make the store look used.
    await restartAll();
    await stack.addWorker();

    await assertHeld(requestId);
    assert.equal(await keptVolumes(), 'available');

    assert.match(
      await restore('--copied-at', new Date(copy.copiedAt).toISOString()),
      /^1 jobs have ended as interrupted/,
    );
    await untilReleased();
    const job = await gateway.read<{ status: string; error: string }>(`/api/jobs/${jobId}`);
    assert.equal(job.status, 'failed');
    assert.match(job.error, /restored from an older copy/);
    const created = await gateway.createInstance(await gateway.smallInstanceRequest('after'));
    assert.equal((await messagesOf(created)).at(-1)?.step, 'COMPLETED');
    assert.equal(await keptVolumes(), 'available');
  });

  it('holds a store that is set back beneath its running processes', async () => {
    const { requestId } = await createAndDelete();

    await copy.putBack(redis());

    await assertHeld(requestId);
    assert.equal(await keptVolumes(), 'available');
  });

  it('continues a store that is none, once an operator says so', async () => {
    const requestId = newRequestId();
    const hold = await control.hold('after', { requestId, service: 'compute', operation: 'servers.create' });
    const stream = await gateway.createInstance(await gateway.smallInstanceRequest('cut'), requestId);
    assert.equal(await hold.waitUntilReached(HOLD_MS), 'held');
    await Promise.all(processes().map((one) => one.kill('SIGKILL')));
    const diedAt = Date.now();
    await redis().kill('SIGKILL');
    await hold.release();
    await eventually(async () => Date.now() > diedAt + OLD_STORE_SECONDS * 1000);
    await redis().restart();
    await restartAll();
    await assertHeld(requestId);

    assert.match(await restore('--continue'), /continue/);
    await untilReleased();

    const jobId = stream.headers.get('x-job-id') ?? '';
    const job = await eventually(async () => {
      const found = await gateway.read<{ status: string; error: string }>(`/api/jobs/${jobId}`);
      return ['completed', 'failed'].includes(found.status) ? found : undefined;
    });
    assert.equal(job.status, 'completed', job.error);
  });
});
