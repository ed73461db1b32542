import assert from 'node:assert/strict';
import { jobKeys, queuePrefix } from '@gateway/jobs';
import type { Redis } from 'ioredis';
import { messagesOf } from '../support/clients/gateway-client.ts';
import type { EventStream } from '../support/clients/sse-client.ts';
import { eventually } from '../support/eventually.ts';
import { queryRedis } from '../support/redis/query-redis.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';

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
      return left >= times ? true : undefined;
    }, 40_000);
  }

  async function setType(jobId: string, from: string, to: string): Promise<void> {
    await inRedis(async (redis) => {
      const data = await redis.hget(`${ENTRIES}:${jobId}`, 'data');
      await redis.hset(`${ENTRIES}:${jobId}`, 'data', (data ?? '').replace(`"${from}"`, `"${to}"`));
      await redis.hset(recordOf(jobId), 'type', to);
    });
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

  /** A creation whose journal has a step of a newer worker, which has stopped. */
  async function interrupted(): Promise<{ jobId: string; stream: EventStream }> {
    const { control, gateway, request, stack } = simulated;
    const hold = await control.hold('after', { operation: 'volumes.create' });
    const stream = await gateway.createInstance(request);
    const jobId = stream.headers.get('x-job-id') ?? '';
    assert.equal(await hold.waitUntilReached(20_000), 'held');
    await stack.workers[0]?.kill('SIGKILL');
    await inRedis((redis) =>
      redis.hset(journalOf(jobId), 'step-of-tomorrow', JSON.stringify({ phase: 'done', result: {} })),
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
      redis.hset(journalOf(jobId), 'step-of-tomorrow', JSON.stringify({ phase: 'undone' })),
    );
    await eventually(async () => {
      assert.deepEqual((await readJob(jobId)).leftovers, []);
      return true;
    });
  });
});
