import assert from 'node:assert/strict';
import { newId, Sealer } from '@gateway/core';
import {
  CredentialStore,
  type JobOwner,
  type JobPayload,
  jobKeys,
  Producer,
  ProgressLog,
  type ProgressMessage,
  Queues,
} from '@gateway/jobs';
import type { Redis, RedisConnections } from '@gateway/store';
import { KEY_PREFIX } from '../queue/open-store.ts';

const TYPE = 'instance.create';
const KEEP_SECONDS = 86_400;
/** A written job may differ by this from the real one, in the bytes of its keys. */
const MAX_DIFFERENCE = 0.05;

/** A queue that contains no jobs for workers. */
class EmptyQueues extends Queues {
  override async add(): Promise<void> {}
}

/**
 * Writes jobs that have ended like a real creation, with the same classes, but without a queue and a cloud.
 */
export class EndedJobs {
  readonly #redis: Redis;
  readonly #producer: Producer<JobOwner>;
  readonly #queues: Queues;
  readonly #realId: string;
  readonly #resourceId: string;
  readonly #messages: ProgressMessage[];
  readonly #journal: { field: string; value: string }[];

  private constructor(redis: RedisConnections, real: RealJob) {
    this.#redis = redis.store;
    this.#queues = new EmptyQueues(redis.queue, KEY_PREFIX);
    const credentials = new CredentialStore<JobOwner>(
      redis.store,
      new Sealer([{ id: 'bench', key: Buffer.alloc(32) }]),
    );
    this.#producer = new Producer(redis.store, this.#queues, credentials, { waitingLimit: 0 });
    this.#realId = real.id;
    this.#resourceId = real.record.resourceId ?? '';
    this.#messages = real.log.map((entry) => {
      const { job_id, ...message } = JSON.parse(entry.slice(1)) as ProgressMessage & { job_id: string };
      return message;
    });
    this.#journal = Object.entries(real.journal).map(([field, value]) => ({ field, value }));
  }

  static async like(realId: string, redis: RedisConnections): Promise<EndedJobs> {
    return new EndedJobs(redis, await readJob(redis.store, realId));
  }

  async write(projectId: string): Promise<string> {
    const id = newId();
    await this.#producer.enqueueWithoutCredential(
      { type: TYPE, payload: {} as JobPayload<typeof TYPE>, requestId: `req-${id}`, jobId: id },
      { projectId, userId: newId().replaceAll('-', '') },
    );
    const log = await ProgressLog.claim(
      { id, type: TYPE, projectId },
      { redis: this.#redis, keepSeconds: KEEP_SECONDS, runningLimit: undefined },
    );
    if (!(log instanceof ProgressLog)) throw new Error(`A job of the measurement is ${log}.`);
    for (const write of this.#journal) await log.record({}, write);
    const last = this.#messages.length - 1;
    for (const [index, message] of this.#messages.entries()) {
      if (index < last) await log.publish(message);
      else await log.end(message, { status: 'completed', leftovers: [], resourceId: this.#resourceId });
    }
    return id;
  }

  /** @throws when a written job is not stored like the real one. */
  async assertLikeReal(id: string, projectId: string): Promise<void> {
    const [written, real] = [await readJob(this.#redis, id), await readJob(this.#redis, this.#realId)];
    assert.deepEqual(Object.keys(written.record).sort(), Object.keys(real.record).sort());
    assert.deepEqual(written.journal, real.journal);
    assert.equal(written.log.length, real.log.length);
    assert.deepEqual(Object.keys(written.ttls), Object.keys(real.ttls));
    assert.ok(Math.abs(written.bytes / real.bytes - 1) <= MAX_DIFFERENCE, `${written.bytes}, ${real.bytes}`);
    assert.notEqual(await this.#redis.zscore(jobKeys.ofProject(projectId), id), null);
    assert.equal(await this.#redis.zscore(jobKeys.open, id), null);
  }

  close(): Promise<void> {
    return this.#queues.close();
  }
}

interface RealJob {
  id: string;
  record: Record<string, string>;
  log: string[];
  journal: Record<string, string>;
  /** The keys that expire. */
  ttls: Record<string, number>;
  bytes: number;
}

async function readJob(redis: Redis, id: string): Promise<RealJob> {
  const keys = { record: jobKeys.record(id), log: jobKeys.log(id), journal: jobKeys.journal(id) };
  const ttls: Record<string, number> = {};
  let bytes = 0;
  for (const [name, key] of Object.entries(keys)) {
    bytes += Number(await redis.memory('USAGE', key));
    const ttl = await redis.ttl(key);
    if (ttl > 0) ttls[name] = ttl;
  }
  return {
    id,
    record: await redis.hgetall(keys.record),
    log: await redis.lrange(keys.log, 0, -1),
    journal: await redis.hgetall(keys.journal),
    ttls,
    bytes,
  };
}
