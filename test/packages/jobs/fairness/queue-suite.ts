import { randomBytes } from 'node:crypto';
import { newId, Sealer } from '@gateway/core';
import {
  admitBlockedJobs,
  type ClaimedJob,
  CredentialStore,
  type JobOwner,
  Producer,
  ProgressLog,
  Queues,
  queuePrefix,
} from '@gateway/jobs';
import type { RedisConnections } from '@gateway/store';
import { type Job, Worker } from 'bullmq';
import { TestStore } from '../../../support/redis/test-redis.ts';
import { end, keepSeconds } from '../stored-jobs.ts';

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
const LOCK_MS = 600_000;
const sealer = new Sealer([{ id: 'k1', key: randomBytes(32) }]);

/** A job that a worker runs. */
export interface Run {
  job: ClaimedJob;
  log: ProgressLog;
  entry: Job;
}

export class QueueSuite {
  store!: TestStore;
  redis!: RedisConnections;
  queues!: Queues;
  #producer!: Producer<JobOwner>;
  #worker!: Worker;

  async open(): Promise<void> {
    this.store = new TestStore();
    this.redis = await this.store.connect();
    this.#openQueues(0);
  }

  /** Opens the queues again, in which now so many jobs of a project may run. */
  async restart(limit: number): Promise<void> {
    await this.#closeQueues();
    this.#openQueues(limit);
  }

  #openQueues(limit: number): void {
    const limits = { provisioning: limit, cleanup: limit, maintenance: limit };
    this.queues = new Queues(this.redis.queue, this.store.prefix, limits);
    const credentials = new CredentialStore<JobOwner>(this.redis.store, sealer);
    this.#producer = new Producer(this.redis.store, this.queues, credentials, { waitingLimit: 0 });
    this.#worker = new Worker('provisioning', null, {
      connection: this.redis.queue,
      prefix: queuePrefix(this.store.prefix, 'provisioning'),
      lockDuration: LOCK_MS,
    });
  }

  async #closeQueues(): Promise<void> {
    await this.#worker.close();
    await this.queues.close();
  }

  async close(): Promise<void> {
    await this.#closeQueues();
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

  /** Receives jobs as a worker with a free slot does, until one may begin; null if there is none. */
  async begin(): Promise<Run | null> {
    for (;;) {
      const entry: Job | undefined = await this.#worker.getNextJob(newId(), { block: false });
      if (entry === undefined) return null;
      const { id = '', data, name: type, token } = entry;
      const job = { id, type, projectId: (data as { projectId: string }).projectId };
      const log = await this.claim(job);
      if (log instanceof ProgressLog) return { job, log, entry };
      await entry.moveToDelayed(Date.now() + LOCK_MS, token);
    }
  }

  claim(job: ClaimedJob) {
    return ProgressLog.claim(job, {
      redis: this.redis.store,
      keepSeconds,
      runningLimit: this.queues.runningLimits.provisioning,
    });
  }

  /** Ends a job and its entry, as a worker does. */
  async end({ job, log, entry }: Run): Promise<void> {
    await end(log);
    await this.admitOthers(job);
    await entry.moveToCompleted('completed', entry.token ?? '', false);
  }

  admitOthers(job: ClaimedJob, isRepeated = false): Promise<void> {
    return admitBlockedJobs(this.redis.store, this.queues, job, { isRepeated });
  }
}
