import { randomBytes } from 'node:crypto';
import { Sealer } from '@gateway/core';
import { type ClaimedJob, CredentialStore, type JobOwner, Producer, Queues } from '@gateway/jobs';
import type { RedisConnections } from '@gateway/redis';
import { JobStore } from '../job-store.ts';

/**
 * Call within `describe`. Each test has a store and queues of its own, because fair queueing concerns all
 * projects of a queue.
 */
export function queueSuite(): QueueSuite {
  const suite = new QueueSuite();
  beforeEach(() => suite.open());
  afterEach(() => suite.close());
  return suite;
}

const CREDENTIAL_MS = 60_000;
const sealer = new Sealer([{ id: 'k1', key: randomBytes(32) }]);

class QueueSuite {
  store!: JobStore;
  redis!: RedisConnections;
  queues!: Queues;
  #producer!: Producer<JobOwner>;

  async open(): Promise<void> {
    this.store = new JobStore();
    this.redis = await this.store.connect();
    this.queues = new Queues(this.redis.queue, this.store.prefix);
    const credentials = new CredentialStore<JobOwner>(this.redis.store, sealer);
    this.#producer = new Producer(this.redis.store, this.queues, credentials, { waitingLimit: 0 });
  }

  async close(): Promise<void> {
    await this.queues.close();
    await this.store.close();
  }

  /** Queues a build of a library for the project. */
  async enqueue(projectId: string): Promise<ClaimedJob> {
    const expiresAt = new Date(Date.now() + CREDENTIAL_MS).toISOString();
    const id = await this.#producer.enqueue({
      type: 'library.build',
      payload: { libraryId: 'l', version: '1' },
      credential: { projectId, userId: 'u1', expiresAt },
      requestId: 'req-1',
    });
    return { id, type: 'library.build', projectId };
  }
}
