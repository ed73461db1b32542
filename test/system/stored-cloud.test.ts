import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/free-port.ts';
import type { Stack } from '../../scripts/stack.ts';
import { newSealingKeys } from '../../scripts/stack-environment.ts';
import { CloudsimControl, type Inventory } from '../support/clients/cloudsim-control.ts';
import { GatewayClient, type InstanceRequest } from '../support/clients/gateway-client.ts';
import { JobWatcher } from '../support/clients/job-watcher.ts';
import { eventually } from '../support/eventually.ts';
import { freshKeyPrefix } from '../support/redis/test-redis.ts';
import { simulatedCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';

const END_MS = 60_000;

/**
 * The gateway as `npm start` runs it: with a Redis and a simulated cloud that keep their data between runs.
 */
describe('a gateway that is stopped and started again with its simulated cloud', function () {
  this.timeout(180_000);
  let data: string;
  let options: Parameters<typeof startTestStack>[0];
  let stack: Stack;
  let gateway: GatewayClient;
  let request: InstanceRequest;
  let baseline: Inventory;

  before(async () => {
    data = mkdtempSync(join(tmpdir(), 'stored-cloud-'));
    options = {
      ...simulatedCloud,
      ownRedis: true,
      redisDir: join(data, 'redis'),
      ports: { api: await freePort(), cloudsim: await freePort() },
      cloudsimEnv: { CLOUDSIM_DATA_DIR: join(data, 'cloudsim') },
      env: { GATEWAY_SEALING_KEYS: newSealingKeys() },
      config: {
        jobs: { lock_seconds: 5 },
        redis: { key_prefix: freshKeyPrefix('stored-cloud') },
      },
    };
    stack = await startTestStack(options);
    gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
    request = await gateway.smallInstanceRequest('e2e-stored-cloud');
    baseline = await inventory();
  });

  after(async () => {
    await stack?.stop();
    rmSync(data, { recursive: true, force: true });
  });

  const inventory = () => new CloudsimControl(stack.cloudsim?.url ?? '').inventory();

  async function restart(): Promise<void> {
    await stack.stop();
    stack = await startTestStack(options);
  }

  async function killEverything(): Promise<void> {
    const processes = [...stack.workers, ...stack.apis, stack.cloudsim, stack.redis];
    await Promise.all(processes.map((process) => process?.kill('SIGKILL')));
  }

  /** Starts a creation and resolves once it has reached the step. */
  async function startCreation(step: string): Promise<{ jobId: string; watcher: JobWatcher }> {
    const stream = await gateway.createInstance(request);
    const watcher = new JobWatcher();
    while (watcher.last?.step !== step) {
      await watcher.readEvents(stream, 1);
      assert.equal(watcher.hasEnded, false, `the creation never came to ${step}`);
    }
    stream.close();
    return { jobId: stream.headers.get('x-job-id') ?? '', watcher };
  }

  /** Follows the job to its end, and checks that the client has received each event once. */
  async function endOf({ jobId, watcher }: { jobId: string; watcher: JobWatcher }) {
    const seen = String(watcher.seqs.at(-1) ?? 0);
    await watcher.followToEnd(null, (last = seen) => gateway.followJob(jobId, last), END_MS);
    assert.deepEqual(watcher.problems, []);
    assert.ok(watcher.last);
    return watcher.last;
  }

  async function remove(instanceId: string): Promise<void> {
    const { status, text } = await gateway.request('DELETE', `/api/instances/${instanceId}`);
    assert.equal(status, 204, text);
    await nothingIsLeft();
  }

  async function nothingIsLeft(): Promise<void> {
    await eventually(async () => {
      assert.deepEqual(await inventory(), baseline);
      return true;
    });
  }

  it('has its instances, jobs and sessions, and can delete the instances', async () => {
    const creation = await startCreation('SERVER_CREATING');
    const { step, instance_id: instanceId } = await endOf(creation);
    assert.equal(step, 'COMPLETED');

    await restart();

    const job = await gateway.read<{ status: string; resource_id: string }>(`/api/jobs/${creation.jobId}`);
    assert.deepEqual([job.status, job.resource_id], ['completed', instanceId]);
    const { status } = await gateway.read<{ status: string }>(`/api/instances/${instanceId}`);
    assert.equal(status, 'ACTIVE');
    await remove(instanceId ?? '');
  });

  for (const step of ['BOOT_VOLUME_CREATING', 'SERVER_CREATING'] as const) {
    it(`completes a creation that was stopped at ${step}`, async () => {
      const creation = await startCreation(step);

      await restart();

      const { step: last, instance_id: instanceId, error } = await endOf(creation);
      assert.equal(last, 'COMPLETED', String(error));
      await remove(instanceId ?? '');
    });
  }

  it('completes a deletion that was stopped', async () => {
    const { instance_id: instanceId } = await endOf(await startCreation('SERVER_CREATING'));
    const { status } = await gateway.request('DELETE', `/api/instances/${instanceId}`);
    assert.equal(status, 204);

    await restart();

    await nothingIsLeft();
  });

  it('completes or rolls back a creation whose processes were all killed', async () => {
    const creation = await startCreation('SERVER_CREATING');

    await killEverything();
    await restart();

    const { step, instance_id: instanceId } = await endOf(creation);
    if (step === 'COMPLETED') await remove(instanceId ?? '');
    else await nothingIsLeft();
  });
});
