import { randomBytes } from 'node:crypto';
import { newId, Sealer } from '@gateway/core';
import { CredentialStore, type JobOwner, jobKeys, Producer, type Queues } from '@gateway/jobs';
import type { RedisConnections } from '@gateway/store';

const ADDED_AT_ONCE = 500;

interface Times {
  createdAt: number;
  endedAt: number;
}

/** Jobs that do nothing, because the cluster that they delete does not exist. */
export class WaitingJobs {
  readonly #producer: Producer<JobOwner>;
  readonly #redis: RedisConnections;
  readonly #ids: string[] = [];

  constructor(redis: RedisConnections, queues: Queues) {
    this.#redis = redis;
    const sealer = new Sealer([{ id: 'bench', key: randomBytes(32) }]);
    const credentials = new CredentialStore<JobOwner>(redis.store, sealer);
    this.#producer = new Producer(redis.store, queues, credentials, { waitingLimit: 0 });
  }

  /** Adds jobs of alternating projects. */
  async addAll(count: number, projects: number): Promise<void> {
    for (let from = 0; from < count; from += ADDED_AT_ONCE) {
      await Promise.all(
        Array.from({ length: Math.min(ADDED_AT_ONCE, count - from) }, (_, index) =>
          this.add(`project-${(from + index) % projects}`),
        ),
      );
    }
  }

  async add(projectId: string): Promise<string> {
    const id = await this.#producer.enqueueWithoutCredential(
      { type: 'lite.delete', payload: { clusterId: newId() }, requestId: 'bench' },
      { projectId, userId: 'bench' },
    );
    this.#ids.push(id);
    return id;
  }

  async countEnded(): Promise<number> {
    return this.#ids.length - (await this.#redis.store.zcard(jobKeys.open));
  }

  /** When a job was created and ended; null before its end. */
  async times(id: string): Promise<Times | null> {
    const fields = await this.#redis.store.hmget(jobKeys.record(id), 'status', 'createdAt', 'updatedAt');
    const [status, createdAt, updatedAt] = fields;
    return status === 'completed' ? { createdAt: Number(createdAt), endedAt: Number(updatedAt) } : null;
  }

  async countEndedBetween(from: number, to: number): Promise<number> {
    const times = await Promise.all(this.#ids.map((id) => this.times(id)));
    return times.filter((job) => job !== null && job.endedAt >= from && job.endedAt < to).length;
  }
}
