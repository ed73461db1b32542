import assert from 'node:assert/strict';
import { queuePrefix } from '@gateway/jobs';
import type { Redis } from 'ioredis';
import type { Stack } from '../../scripts/stack.ts';
import type { CloudsimControl, Inventory } from '../support/clients/cloudsim-control.ts';
import { GatewayClient, type InstanceRequest, messagesOf } from '../support/clients/gateway-client.ts';
import { JobWatcher } from '../support/clients/job-watcher.ts';
import { eventually } from '../support/eventually.ts';
import { queryRedis } from '../support/redis/query-redis.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

interface Job {
  id: string;
  status: string;
  leftovers: { type: string; id: string; reason: string }[];
}

/** Seconds between two runs of the scheduled tasks, and the duration of the lock on a job. */
const SWEEP_SECONDS = 1;
const LOCK_SECONDS = 2;
/** The upstream timeout: long enough for the other steps of a test on a busy machine. */
const UPSTREAM_SECONDS = 5;
const KEY_PREFIX = 'aftermath:';

describe('what a job could not finish', function () {
  this.timeout(120_000);
  let simulated: SimulatedStack;
  let stack: Stack;
  let control: CloudsimControl;
  let gateway: GatewayClient;
  let baseline: Inventory;
  let request: InstanceRequest;

  before(async () => {
    simulated = await SimulatedStack.start({
      ownRedis: true,
      config: {
        redis: { key_prefix: KEY_PREFIX },
        jobs: {
          lock_seconds: LOCK_SECONDS,
          poll_interval_ms: 50,
          sweep_seconds: SWEEP_SECONDS,
          // Longer than the call of unknown outcome takes. The delegation of its job is kept until then.
          recheck_seconds: 5 * UPSTREAM_SECONDS,
          project_running_limit: 2,
        },
        time_limits: { upstream_request_seconds: UPSTREAM_SECONDS, undo_seconds: 1, step_retry_seconds: 0 },
      },
    });
    ({ stack, control, gateway, baseline, request } = simulated);
  });

  after(() => simulated?.stop());

  afterEach(() => simulated.restore());

  const inRedis = <T>(ask: (redis: Redis) => Promise<T>) =>
    queryRedis(Number(new URL(stack.redisUrl).port), ask);

  const readJob = (id: string) => gateway.read<Job>(`/api/jobs/${id}`);

  async function leftoversInMetrics(): Promise<string | undefined> {
    const { text } = await gateway.request('GET', '/api/metrics');
    return text.match(/^gateway_leftovers\{[^}]*\} (\d+)$/m)?.[1];
  }

  it('is shown on the job and in the metric until removed', async () => {
    await control.addFault({ operation: 'servers.create', status: 403 });
    await control.addFault({ operation: 'volumes.delete', status: 500, times: 0 });
    const stream = await gateway.createInstance(request);
    const jobId = stream.headers.get('x-job-id') ?? '';
    assert.equal((await messagesOf(stream)).at(-1)?.step, 'FAILED');
    const failed = await readJob(jobId);
    assert.deepEqual([failed.status, failed.leftovers.map(({ type }) => type)], ['failed', ['volume']]);
    assert.equal(await leftoversInMetrics(), '1');

    await control.clear();

    await eventually(async () => {
      assert.deepEqual((await readJob(jobId)).leftovers, []);
      assert.equal(await leftoversInMetrics(), '0');
      return true;
    });
    assert.deepEqual(await control.inventory(), baseline);
  });

  it("is retried while another job's leftovers are slow to remove", async () => {
    await control.addFault({ operation: 'servers.create', status: 403, times: 0 });
    await control.addFault({ operation: 'volumes.delete', status: 500, times: 0 });
    const streams = await Promise.all([gateway.createInstance(request), gateway.createInstance(request)]);
    for (const stream of streams) assert.equal((await messagesOf(stream)).at(-1)?.step, 'FAILED');
    await stack.workers[0]?.stop();
    await control.clear();
    await control.clearCalls();
    const held = await control.hold('before', { operation: 'volumes.delete' });
    await stack.workers[0]?.restart();

    await eventually(async () => {
      const removals = (await control.calls()).filter(({ operation }) => operation === 'volumes.delete');
      return new Set(removals.map(({ path }) => path)).size === 2;
    });

    assert.equal(await held.waitUntilReached(0), 'held');
    await held.release();
  });

  it("is shown on a deletion's job until removed", async () => {
    const made = (await gateway.messagesOfCreation(request)).at(-1);
    assert.equal(made?.step, 'COMPLETED', made?.error ?? '');
    await control.addFault({ operation: 'floating_ips.delete', status: 500, times: 0 });
    await gateway.request('DELETE', `/api/instances/${made.instance_id}`);
    const { items } = await gateway.read<{ items: Job[] }>('/api/jobs?type=instance.delete&limit=1');
    const jobId = items[0]?.id ?? '';
    await eventually(async () => {
      const { status, leftovers } = await readJob(jobId);
      assert.deepEqual([status, leftovers.map(({ type }) => type)], ['completed', ['floating_ip']]);
      return true;
    });

    await control.clear();

    await eventually(async () => {
      assert.deepEqual((await readJob(jobId)).leftovers, []);
      return true;
    });
  });

  it('is found even if created after the job failed', async () => {
    await control.addFault({ operation: 'volumes.create', delayMs: 2_000 * UPSTREAM_SECONDS });
    const failed = (await gateway.messagesOfCreation(request)).at(-1);
    assert.deepEqual([failed?.step, failed?.code], ['FAILED', 'upstream_timeout']);

    const made = await eventually(async () =>
      (await control.calls()).find((call) => call.operation === 'volumes.create' && call.performed),
    );

    assert.ok(made);
    await eventually(async () => {
      assert.deepEqual(await control.inventory(), baseline);
      return true;
    });
  });

  it('is removed with a server that is deleted late', async () => {
    const made = (await gateway.messagesOfCreation(request)).at(-1);
    assert.equal(made?.step, 'COMPLETED', made?.error ?? '');
    const hold = await control.hold('late', { operation: 'servers.delete' });

    const answer = await gateway.request('DELETE', `/api/instances/${made.instance_id}`);

    assert.equal(answer.status, 504, answer.text);
    await hold.release();
    await eventually(async () => {
      assert.deepEqual(await control.inventory(), baseline);
      return true;
    });
  });

  it('continues although the queue has lost it', async () => {
    const hold = await control.hold('after', { operation: 'volumes.create' });
    const stream = await gateway.createInstance(request);
    const jobId = stream.headers.get('x-job-id') ?? '';
    assert.equal(await hold.waitUntilReached(20_000), 'held');
    await stack.workers[0]?.kill('SIGKILL');
    const queue = `${queuePrefix(KEY_PREFIX, 'provisioning')}:provisioning`;
    await inRedis((redis) => redis.del(`${queue}:${jobId}`, `${queue}:active`, `${queue}:stalled`));
    await stack.workers[0]?.restart();

    const watcher = new JobWatcher();
    await watcher.readEvents(stream);

    watcher.assertGapless();
    assert.equal(watcher.last?.step, 'COMPLETED', watcher.last?.error ?? '');
    const created = (await control.calls()).filter(
      (call) => call.operation === 'volumes.create' && call.performed,
    );
    assert.equal(new Set(created.map(({ made }) => made)).size, created.length);
  });

  it('fails without resources if the queue lost it before its start', async () => {
    const holds = [
      await control.hold('before', { operation: 'volumes.create', nth: 1 }),
      await control.hold('before', { operation: 'volumes.create', nth: 2 }),
    ];
    const running = [await gateway.createInstance(request), await gateway.createInstance(request)];
    for (const hold of holds) assert.equal(await hold.waitUntilReached(20_000), 'held');
    const stream = await gateway.createInstance(request);
    const jobId = stream.headers.get('x-job-id') ?? '';
    const queue = `${queuePrefix(KEY_PREFIX, 'provisioning')}:provisioning`;
    await eventually(async () => {
      const waits = await inRedis((redis) => redis.zrem(`${queue}:delayed`, jobId));
      return waits === 1;
    });
    await inRedis((redis) => redis.del(`${queue}:${jobId}`));

    const last = (await messagesOf(stream)).at(-1);

    assert.deepEqual([last?.step, last?.code], ['FAILED', 'store_unavailable']);
    await control.clear();
    // Held for longer than the upstream timeout: the jobs have failed or will complete.
    for (const other of running) await other.rest();
  });

  describe('while its project has reached its limit of running jobs', () => {
    it('waits, and other projects do not', async () => {
      const alice = await GatewayClient.logIn(stack.url, testLogin('alice'));
      const hold = await control.hold('before', { operation: 'volumes.create', nth: 1 });
      const second = await control.hold('before', { operation: 'volumes.create', nth: 2 });
      const own = await Promise.all(Array.from({ length: 5 }, () => gateway.createInstance(request)));
      for (const held of [hold, second]) assert.equal(await held.waitUntilReached(20_000), 'held');

      const volume = { name: 'beside', size_gb: 1, availability_zone: 'nowhere' };
      const others = await messagesOf(await alice.startJob('/api/volumes/async', volume));
      assert.equal(others.at(-1)?.step, 'FAILED');
      const running = await gateway.read<{ count: number }>('/api/jobs?type=instance.create&status=running');
      const queued = await gateway.read<{ count: number }>('/api/jobs?type=instance.create&status=queued');
      assert.deepEqual([running.count, queued.count], [2, 3]);

      await hold.release();
      await second.release();
      for (const stream of own) assert.equal((await messagesOf(stream)).at(-1)?.step, 'COMPLETED');
    });

    it('rolls back at once when it is cancelled', async () => {
      const holds = [
        await control.hold('before', { operation: 'volumes.create', nth: 1 }),
        await control.hold('before', { operation: 'volumes.create', nth: 2 }),
      ];
      const running = [await gateway.createInstance(request), await gateway.createInstance(request)];
      for (const hold of holds) assert.equal(await hold.waitUntilReached(20_000), 'held');
      const waiting = await gateway.createInstance(request);
      const jobId = waiting.headers.get('x-job-id') ?? '';

      assert.equal((await gateway.request('POST', `/api/jobs/${jobId}/cancel`)).status, 202);

      assert.equal((await messagesOf(waiting)).at(-1)?.code, 'cancelled');
      for (const hold of holds) assert.equal(await hold.waitUntilReached(0), 'held');
      await control.clear();
      for (const stream of running) assert.equal((await messagesOf(stream)).at(-1)?.step, 'COMPLETED');
    });
  });
});
