import assert from 'node:assert/strict';
import { jobKeys, queuePrefix } from '@gateway/jobs';
import type { Redis } from 'ioredis';
import { GatewayClient, messagesOf } from '../support/clients/gateway-client.ts';
import type { EventStream } from '../support/clients/sse-client.ts';
import { eventually } from '../support/eventually.ts';
import { queryRedis } from '../support/redis/query-redis.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

interface Job {
  status: string;
  leftovers: { type: string; id: string }[];
}

const KEY_PREFIX = 'newer-workers:';
const ENTRIES = `${queuePrefix(KEY_PREFIX, 'provisioning')}:provisioning`;

/**
 * The store gets the writes of a worker of a newer release, and loses them again when
 * that worker would be done.
 */
describe('a worker that meets what only a newer one knows', function () {
  this.timeout(120_000);
  let simulated: SimulatedStack;

  before(async () => {
    simulated = await SimulatedStack.start({
      ownRedis: true,
      config: {
        redis: { key_prefix: KEY_PREFIX },
        jobs: {
          lock_seconds: 2,
          poll_interval_ms: 50,
          sweep_seconds: 1,
          max_failed_runs: 1,
          recheck_seconds: 3,
        },
        time_limits: { undo_seconds: 1 },
      },
    });
  });

  after(() => simulated?.stop());

  afterEach(() => simulated.restore());

  const inRedis = <T>(ask: (redis: Redis) => Promise<T>) =>
    queryRedis(Number(new URL(simulated.stack.redisUrl).port), ask);

  const readJob = (id: string) => simulated.gateway.read<Job>(`/api/jobs/${id}`);

  const recordOf = (jobId: string) => KEY_PREFIX + jobKeys.record(jobId);

  const journalOf = (jobId: string) => KEY_PREFIX + jobKeys.journal(jobId);

  /** Waits until the job is left for later, for the n-th time. */
  async function isLeft(jobId: string, times: number): Promise<void> {
    let left = 0;
    let last: string | null = null;
    await eventually(async () => {
      const until = await inRedis((redis) => redis.zscore(`${ENTRIES}:delayed`, jobId));
      if (until !== null && until !== last) left += 1;
      last = until ?? last;
      return left >= times;
    }, 40_000);
  }

  async function replaceInEntry(jobId: string, from: string, to: string): Promise<void> {
    await inRedis(async (redis) => {
      const data = await redis.hget(`${ENTRIES}:${jobId}`, 'data');
      await redis.hset(`${ENTRIES}:${jobId}`, 'data', (data ?? '').replace(from, to));
    });
  }

  async function setType(jobId: string, from: string, to: string): Promise<void> {
    await replaceInEntry(jobId, `"${from}"`, `"${to}"`);
    await inRedis((redis) => redis.hset(recordOf(jobId), 'type', to));
  }

  it('defers a job of an unknown type, without counting a failure', async () => {
    const { gateway, request, stack } = simulated;
    await stack.workers[0]?.stop();
    const stream = await gateway.createInstance(request);
    const jobId = stream.headers.get('x-job-id') ?? '';
    await setType(jobId, 'instance.create', 'instance.of-tomorrow');
    await stack.workers[0]?.restart();
    await isLeft(jobId, 2);
    const faults = await inRedis((redis) => redis.hmget(recordOf(jobId), 'faults', 'abortReason', 'status'));

    await setType(jobId, 'instance.of-tomorrow', 'instance.create');
    const last = (await messagesOf(stream)).at(-1);

    assert.deepEqual(faults, [null, '', 'queued']);
    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
  });

  const newerForms = {
    entry: {
      async raise(jobId: string) {
        await replaceInEntry(jobId, '"form":1', '"form":2');
        return () => replaceInEntry(jobId, '"form":2', '"form":1');
      },
      status: 'queued',
    },
    record: {
      async raise(jobId: string) {
        const set = (form: string) => inRedis((redis) => redis.hset(recordOf(jobId), { form }));
        await set('2');
        return () => set('1');
      },
      status: 'running',
    },
    journal: {
      async raise(jobId: string) {
        const entry = JSON.stringify({ form: 2, state: 'unknown' });
        await inRedis((redis) => redis.hset(journalOf(jobId), 'step-of-tomorrow', entry));
        return () => inRedis((redis) => redis.hdel(journalOf(jobId), 'step-of-tomorrow'));
      },
      status: 'running',
    },
  };

  for (const [where, { raise, status }] of Object.entries(newerForms)) {
    it(`defers a job with a newer form of its ${where}, without counting`, async () => {
      const { gateway, request, stack } = simulated;
      const [worker] = stack.workers;
      await worker?.stop();
      const stream = await gateway.createInstance(request);
      const jobId = stream.headers.get('x-job-id') ?? '';
      const lower = await raise(jobId);
      await worker?.restart();
      await isLeft(jobId, 2);
      const state = await inRedis((redis) => redis.hmget(recordOf(jobId), 'faults', 'abortReason', 'status'));
      const lines = worker?.logs().filter((line) => line.includes(jobId)) ?? [];

      await lower();
      const last = (await messagesOf(stream)).at(-1);

      assert.deepEqual(state, [null, '', status]);
      assert.ok(lines.some((line) => line.includes('A job is left to a newer worker')));
      assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    });
  }

  it('answers 503 for a newer session, and leaves it as it is', async () => {
    const { stack } = simulated;
    const gateway = await GatewayClient.logIn(stack.url, testLogin('alice'));
    const keys = await inRedis((redis) => redis.keys(`${KEY_PREFIX}session:*`));
    const stored = await inRedis((redis) => redis.mget(keys));
    const newer = stored.map((text) => (text ?? '').replace('"form":1', '"form":2'));
    await inRedis((redis) => redis.mset(keys.flatMap((key, index) => [key, newer[index] ?? ''])));

    const { status, headers, text } = await gateway.request('GET', '/api/profile');
    const logOut = await gateway.request('POST', '/api/auth/logout');
    const after = await inRedis((redis) => redis.mget(keys));
    await inRedis((redis) => redis.mset(keys.flatMap((key, index) => [key, stored[index] ?? ''])));

    assert.deepEqual([status, headers.get('retry-after')], [503, '5'], text);
    assert.equal(logOut.status, 503, logOut.text);
    assert.deepEqual(after, newer);
    assert.equal((await gateway.request('GET', '/api/profile')).status, 200);
  });

  /** A creation whose journal has a step of a newer worker, which has stopped. */
  async function interrupted(): Promise<{ jobId: string; stream: EventStream }> {
    const { control, gateway, request, stack } = simulated;
    const hold = await control.hold('after', { operation: 'volumes.create' });
    const stream = await gateway.createInstance(request);
    const jobId = stream.headers.get('x-job-id') ?? '';
    assert.equal(await hold.waitUntilReached(60_000), 'held');
    await stack.workers[0]?.kill('SIGKILL');
    await inRedis((redis) =>
      redis.hset(
        journalOf(jobId),
        'step-of-tomorrow',
        JSON.stringify({ form: 1, phase: 'done', result: {} }),
      ),
    );
    await hold.release();
    await stack.workers[0]?.restart();
    return { jobId, stream };
  }

  it('defers a job with an unknown step, and continues known ones', async () => {
    const { jobId, stream } = await interrupted();
    await isLeft(jobId, 2);
    const job = await readJob(jobId);

    await inRedis((redis) => redis.hdel(journalOf(jobId), 'step-of-tomorrow'));
    const last = (await messagesOf(stream)).at(-1);

    assert.equal(job.status, 'running');
    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
  });

  it('rolls back the known steps of a cancelled job, and lists others', async () => {
    const { baseline, control, gateway } = simulated;
    const { jobId } = await interrupted();
    await isLeft(jobId, 1);

    await gateway.request('POST', `/api/jobs/${jobId}/cancel`);

    const ended = await eventually(async () => {
      const job = await readJob(jobId);
      return job.status === 'running' ? undefined : job;
    });
    assert.deepEqual(
      [ended.status, ended.leftovers.map(({ id, type }) => ({ id, type }))],
      ['cancelled', [{ type: 'step', id: 'step-of-tomorrow' }]],
    );
    // The delegation is needed until the last step is undone.
    const [left, before] = [await control.inventory(), baseline].map((one) => one.get('volumes'));
    assert.deepEqual(left, before);
    await inRedis((redis) =>
      redis.hset(journalOf(jobId), 'step-of-tomorrow', JSON.stringify({ form: 1, phase: 'undone' })),
    );
    await eventually(async () => {
      assert.deepEqual((await readJob(jobId)).leftovers, []);
      return true;
    });
  });
});
