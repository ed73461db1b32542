import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { GatewayError, Sealer } from '@gateway/core';
import {
  CredentialStore,
  type InstanceCreation,
  type JobOwner,
  type JobRequest,
  jobKeys,
  jobTypes,
  joinJob,
  Producer,
  ProgressLog,
  type QueuedJob,
  Queues,
  queuePrefix,
  readJob,
  readOpenJobs,
  readQueued,
} from '@gateway/jobs';
import type { RedisConnections } from '@gateway/store';
import { type Job, Worker } from 'bullmq';
import { TestStore } from '../../../support/redis/test-redis.ts';
import { openGate } from '../../store/redis-gate.ts';
import { everythingIn } from '../redis-contents.ts';
import { claim } from '../stored-jobs.ts';

const token = 'gAAAAABsecretsecretsecret';

interface Owner extends JobOwner {
  token: string;
}

const SERVER = { name: 'web', projectId: 'p1', createdAt: '', metadata: {}, volumeIds: [], readAt: 0 };

describe('Producer', () => {
  const store = new TestStore();
  const sealer = new Sealer([{ id: 'k1', key: randomBytes(32) }]);
  const closing: { close(): Promise<void> }[] = [];
  let redis: RedisConnections;
  let producer: Producer<Owner>;

  before(async () => {
    redis = await store.connect();
    producer = makeProducer(redis);
  });

  after(async () => {
    for (const each of closing) await each.close();
    await store.close();
  });

  function makeProducer(connections: RedisConnections, queues?: Queues, waitingLimit = 0): Producer<Owner> {
    const own = queues ?? new Queues(connections.queue, store.prefix);
    closing.push(own);
    return new Producer(connections.store, own, new CredentialStore(connections.store, sealer), {
      waitingLimit,
    });
  }

  function request(): JobRequest<'instance.delete', Owner> {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    return {
      type: 'instance.delete',
      payload: { instanceId: 'server-1', server: SERVER },
      credential: { projectId: 'p1', userId: 'u1', token, expiresAt },
      requestId: 'req-1',
      resourceId: 'server-1',
    };
  }

  /** The queue entry that a worker receives. */
  function takeOne(): Promise<Job<QueuedJob>> {
    const { promise, resolve } = Promise.withResolvers<Job<QueuedJob>>();
    const worker = new Worker<QueuedJob>('cleanup', async (job) => resolve(job), {
      connection: redis.queue,
      prefix: queuePrefix(store.prefix, 'cleanup'),
    });
    return promise.finally(() => worker.close());
  }

  it('stores a record, and a queue entry with handles instead of secrets', async () => {
    const before = Date.now();
    const jobId = await producer.enqueue(request());
    const record = await readJob(redis.store, jobId);
    assert.ok(record);
    const { createdAt, updatedAt, ...facts } = record;
    assert.deepEqual(facts, {
      id: jobId,
      type: 'instance.delete',
      projectId: 'p1',
      userId: 'u1',
      userName: null,
      requestId: 'req-1',
      status: 'queued',
      heldMs: 0,
      isRollingBack: false,
      hold: null,
      runs: 0,
      lostRuns: 0,
      faults: 0,
      isCommitting: false,
      step: null,
      progress: 0,
      message: 'Waiting for a worker.',
      bar: null,
      resourceId: 'server-1',
      resourceName: null,
      resourceType: 'instance',
      startedAt: null,
      failure: null,
      leftovers: [],
      cancelRequested: false,
      abortReason: null,
    });
    assert.ok(createdAt >= before && updatedAt === createdAt);

    const job = await takeOne();
    assert.equal(job.id, jobId);
    const { credentialHandle, ...data } = job.data;
    assert.deepEqual(data, {
      form: 1,
      type: 'instance.delete',
      payload: { instanceId: 'server-1', server: SERVER },
      requestId: 'req-1',
      projectId: 'p1',
    });
    const credential = await new CredentialStore<Owner>(redis.store, sealer).get(credentialHandle ?? '');
    assert.equal(credential?.token, token);
  });

  it('stores no token in clear in Redis', async () => {
    await producer.enqueue(request());
    const contents = await everythingIn(redis.queue, store.prefix);
    assert.match(contents, /instance\.delete/);
    assert.match(contents, /v1\.k1\./);
    assert.equal(contents.includes(token), false);
  });

  it('writes the record before the queue entry', async () => {
    class Watched extends Queues {
      override async add(jobId: string): Promise<void> {
        assert.ok(await readJob(redis.store, jobId));
        seen.push(jobId);
      }
    }
    const seen: string[] = [];
    const jobId = await makeProducer(redis, new Watched(redis.queue, store.prefix)).enqueue(request());
    assert.deepEqual(seen, [jobId]);
  });

  it('lists the job as unfinished, and keeps its record until it ends', async () => {
    const jobId = await producer.enqueue(request());
    assert.ok((await readOpenJobs(redis.store, Date.now())).includes(jobId));
    assert.equal(await redis.store.ttl(jobKeys.record(jobId)), -1);
    assert.equal((await readQueued(redis.store, jobId))?.payload !== undefined, true);
  });

  it("removes a project's oldest jobs without records from its list", async () => {
    const old = await producer.enqueue(request());
    const younger = await producer.enqueue(request());
    await redis.store.del(jobKeys.record(old));
    const jobId = await producer.enqueue(request());
    const listed = await redis.store.zrange(jobKeys.ofProject('p1'), '0', '-1');
    assert.equal(listed.includes(old), false);
    assert.ok(listed.includes(younger) && listed.includes(jobId));
  });

  it('adds nothing for an id that exists', async () => {
    const jobId = 'chosen-by-the-caller';
    await producer.enqueue({ ...request(), jobId });
    const record = await readJob(redis.store, jobId);
    assert.equal(await producer.enqueue({ ...request(), jobId, requestId: 'req-2' }), jobId);
    assert.deepEqual(await readJob(redis.store, jobId), record);
    const prioritized = `${queuePrefix(store.prefix, 'cleanup')}:cleanup:prioritized`;
    const entries = await redis.queue.zrange(prioritized, 0, '-1');
    assert.equal(entries.filter((id) => id === jobId).length, 1);
  });

  describe('with a project that has many waiting jobs', () => {
    const limited = 2;

    function creation(projectId: string): JobRequest<'instance.create', Owner> {
      const { credential } = request();
      const payload = { name: 'n' } as InstanceCreation;
      return {
        type: 'instance.create',
        payload,
        credential: { ...credential, projectId },
        requestId: 'req-1',
      };
    }

    it('answers 429 to more creations until one has begun', async () => {
      const busy = makeProducer(redis, undefined, limited);
      const [first] = [await busy.enqueue(creation('busy')), await busy.enqueue(creation('busy'))];
      await assert.rejects(busy.enqueue(creation('busy')), (error: unknown) => {
        assert.ok(error instanceof GatewayError);
        assert.deepEqual([error.status, error.code], [429, 'rate_limited']);
        assert.ok(error.retryAfterSeconds);
        return true;
      });
      await busy.enqueue(creation('other'));
      await busy.enqueue({ ...request(), credential: { ...request().credential, projectId: 'busy' } });
      const job = { id: first, type: 'instance.create', projectId: 'busy' } as const;
      await ProgressLog.claim(job, { redis: redis.store, keepSeconds: 60 });
      await busy.enqueue(creation('busy'));
    });

    it('does not count jobs whose records are gone', async () => {
      const busy = makeProducer(redis, undefined, limited);
      for (let n = 0; n < limited; n++) {
        await redis.store.del(jobKeys.record(await busy.enqueue(creation('without-records'))));
      }
      await busy.enqueue(creation('without-records'));
    });
  });

  function isStoreUnavailable(error: unknown): true {
    assert.ok(error instanceof GatewayError);
    assert.deepEqual([error.status, error.code], [503, 'store_unavailable']);
    assert.ok(error.retryAfterSeconds);
    return true;
  }

  it('answers 503 while jobs are held, and stores nothing', async () => {
    const credentials = () => redis.store.keys(`${store.prefix}${jobKeys.credential('*')}`);
    const before = await credentials();
    await redis.store.hset(jobKeys.storeHold, { cause: 'unused', usedAt: 1, heldAt: 2 });
    try {
      await assert.rejects(producer.enqueue({ ...request(), jobId: 'refused' }), (error: unknown) => {
        assert.ok(error instanceof GatewayError);
        assert.deepEqual([error.status, error.code], [503, 'store_unavailable']);
        assert.match(error.message, /may be older than the cloud/);
        return true;
      });
    } finally {
      await redis.store.del(jobKeys.storeHold);
    }

    assert.equal(await readJob(redis.store, 'refused'), null);
    assert.deepEqual(await credentials(), before);
  });

  it('answers 503 while the store is unavailable', async () => {
    const gate = await openGate();
    const unavailable = await store.connect({ url: gate.url, retryPolicy: 'fail-fast' });
    const cutOff = makeProducer(unavailable);
    const queued = await redis.queue.keys(`*${store.prefix}*`);
    gate.shut();
    await assert.rejects(cutOff.enqueue(request()), isStoreUnavailable);
    await assert.rejects(cutOff.enqueue(request()), isStoreUnavailable);
    assert.deepEqual((await redis.queue.keys(`*${store.prefix}*`)).sort(), queued.sort());
    await unavailable.close();
    await gate.close();
  });

  it('waits for a short interruption of the connection of the queues', async () => {
    const gate = await openGate();
    const interrupted = await store.connect({ url: gate.url, retryPolicy: 'fail-fast' });
    const waiting = makeProducer(redis, new Queues(interrupted.queue, store.prefix));
    await waiting.enqueue(request());
    const closed = once(interrupted.queue, 'close');
    gate.shut();
    await closed;

    const enqueued = waiting.enqueue(request());
    gate.reopen();
    const jobId = await enqueued;

    const queues = new Queues(redis.queue, store.prefix);
    closing.push(queues);
    assert.equal(await queues.has(jobTypes['instance.delete'].queue, jobId), true);
    await interrupted.close();
    await gate.close();
  });

  describe('when the response to adding the job to its queue is lost', () => {
    /** Adds a job to a queue whose response is lost after `taken` has run. Returns the job id. */
    async function enqueueUnanswered(
      taken: (jobId: string) => Promise<unknown>,
      asked: Partial<JobRequest<'instance.delete', Owner>> = {},
    ): Promise<string> {
      class Mute extends Queues {
        override async add(id: string): Promise<void> {
          jobId = id;
          await taken(id);
          throw new Error('Command timed out');
        }
      }
      let jobId = '';
      const mute = makeProducer(redis, new Mute(redis.queue, store.prefix));
      await assert.rejects(mute.enqueue({ ...request(), ...asked }), isStoreUnavailable);
      return jobId;
    }

    it('deletes its record, so that it does not run', async () => {
      const jobId = await enqueueUnanswered(async () => {});
      // Sent before this command, on the same connection.
      assert.equal(await readJob(redis.store, jobId), null);
    });

    it('cancels it if it runs already', async () => {
      const jobId = await enqueueUnanswered((id) => claim(redis.store, id));
      assert.equal((await readJob(redis.store, jobId))?.cancelRequested, true);
    });

    it('keeps it if another request has joined it meanwhile', async () => {
      const found = await enqueueUnanswered((id) => joinJob(redis.store, id));
      assert.equal((await readJob(redis.store, found))?.status, 'queued');
      const asked = await enqueueUnanswered((jobId) => producer.enqueue({ ...request(), jobId }));
      assert.equal((await readJob(redis.store, asked))?.status, 'queued');
      const begun = await enqueueUnanswered(async (id) => {
        await joinJob(redis.store, id);
        await claim(redis.store, id);
      });
      assert.equal((await readJob(redis.store, begun))?.cancelRequested, false);
    });

    it('keeps it if another request has created it', async () => {
      const jobId = await producer.enqueue(request());
      await enqueueUnanswered(async () => {}, { jobId });
      assert.equal((await readJob(redis.store, jobId))?.status, 'queued');
      const job = { id: jobId, type: 'instance.delete', projectId: 'p1' } as const;
      await ProgressLog.claim(job, { redis: redis.store, keepSeconds: 60 });
      await enqueueUnanswered(async () => {}, { jobId });
      assert.equal((await readJob(redis.store, jobId))?.cancelRequested, false);
    });
  });

  it('accepts one job on a subject until it ended or vanished', async () => {
    const exclusive = { subject: 'build:a', refusal: 'It is being built.' };
    const refusal = (jobId: string) => (error: unknown) =>
      error instanceof GatewayError && error.status === 409 && error.jobId === jobId;
    const first = await producer.enqueue({ ...request(), exclusive });
    await assert.rejects(producer.enqueue({ ...request(), exclusive }), refusal(first));
    assert.equal(
      await producer.enqueue({ ...request(), jobId: first, exclusive }),
      first,
      'said twice it is one',
    );
    await producer.enqueue({ ...request(), exclusive: { ...exclusive, subject: 'build:b' } });
    await producer.enqueue(request());

    const log = await ProgressLog.claim(
      { id: first, type: 'instance.delete', projectId: 'p1' },
      { redis: redis.store, keepSeconds: 60 },
    );
    assert.ok(log instanceof ProgressLog);
    await assert.rejects(producer.enqueue({ ...request(), exclusive }), refusal(first), 'it runs');
    await log.end({ step: 'COMPLETED', progress: 100, message: '' }, { status: 'completed' });
    const second = await producer.enqueue({ ...request(), exclusive });

    await redis.store.del(jobKeys.record(second));
    const third = await producer.enqueue({ ...request(), exclusive });
    await assert.rejects(producer.enqueue({ ...request(), exclusive }), refusal(third));
  });
});

describe('Queues', () => {
  const store = new TestStore();

  after(() => store.close());

  it('count jobs by queue and state', async () => {
    const redis = await store.connect();
    const queues = new Queues(redis.queue, store.prefix);
    await queues.add('j1', {
      type: 'session.prefill',
      payload: {},
      credentialHandle: 'h',
      requestId: 'r',
      projectId: 'p',
    });
    const depths = await queues.depths();
    assert.deepEqual(Object.keys(depths).sort(), ['cleanup', 'maintenance', 'provisioning']);
    assert.deepEqual(depths.maintenance, { waiting: 1, active: 0, delayed: 0, failed: 0 });
    await queues.close();
  });

  it('accept a job once, even if the call is repeated', async () => {
    const redis = await store.connect();
    const queues = new Queues(redis.queue, `${store.prefix}again:`);
    const job: QueuedJob = {
      type: 'session.prefill',
      payload: {},
      credentialHandle: 'h',
      requestId: 'r',
      projectId: 'p',
    };
    await queues.add('same', job);
    await queues.add('same', job);
    assert.equal((await queues.depths()).maintenance?.waiting, 1);
    await queues.close();
  });

  it('work although Redis was unavailable when they were opened', async () => {
    const redis = await store.connect();
    const info = redis.queue.info.bind(redis.queue);
    let unanswered = 3;
    redis.queue.info = () =>
      --unanswered >= 0 ? Promise.reject(new Error('Connection is closed.')) : info();
    const queues = new Queues(redis.queue, `${store.prefix}late:`);

    const depths = await queues.depths();

    assert.deepEqual(depths.cleanup, { waiting: 0, active: 0, delayed: 0, failed: 0 });
    assert.equal(Object.keys(depths).length, 3);
    await queues.close();
  });

  it('keep the keys of one queue in one slot of a cluster', () => {
    assert.equal(queuePrefix('gw:', 'cleanup'), '{gw:cleanup}');
  });
});
