import { conflict, newId, rateLimited, storeUnavailable } from '@gateway/core';
import { type Redis, type ReplicatedWrite, unreplicatedWrite } from '@gateway/redis';
import { type JobPayload, type JobType, jobTraits } from './catalog.ts';
import type { CredentialStore } from './credentials.ts';
import { ENQUEUE_SCRIPT, WITHDRAW_SCRIPT } from './enqueue-script.ts';
import { jobKeys } from './keys.ts';
import type { QueuedJob, Queues } from './queues.ts';
import { type JobRecord, newRecord, toHash } from './records.ts';

/** Who a job works for. */
export interface JobOwner {
  projectId: string;
  userId: string;
  /** ISO 8601; the job's credential goes away then. */
  expiresAt: string;
}

export interface JobRequest<T extends JobType, C> {
  type: T;
  payload: JobPayload<T>;
  credential: C;
  requestId: string;
  /** What the job is about, when that is known before it runs. */
  resourceId?: string;
  /** Chosen by a caller who may have to ask again: a second time adds nothing. A new id unless given. */
  jobId?: string;
  /** Refused with a 409 while another job on the same subject has not ended; any number of jobs unless given. */
  exclusive?: { subject: string; refusal: string };
}

export interface ProducerOptions {
  /** How many jobs of one project may wait on one queue; 0 for any number. */
  waitingLimit: number;
  /** Has a job outlive a failover before it is promised; waits for nothing unless given. */
  replicatedWrite?: ReplicatedWrite;
}

const REFUSED = -1;
const REFUSED_RETRY_AFTER_SECONDS = 30;

/** Puts jobs on their queues. */
export class Producer<C extends JobOwner> {
  readonly #redis: Redis;
  readonly #queues: Queues;
  readonly #credentials: CredentialStore<C>;
  readonly #options: ProducerOptions;

  constructor(redis: Redis, queues: Queues, credentials: CredentialStore<C>, options: ProducerOptions) {
    this.#redis = redis;
    this.#queues = queues;
    this.#credentials = credentials;
    this.#options = options;
  }

  /**
   * Queues a job and gives its id. The record is there before the job can run. When the store is away the
   * caller gets a 503 and nothing has been started; when the project has too many waiting, a 429; when it is not the
   * only one on its subject, a 409 that names the other one.
   */
  async enqueue<T extends JobType>(request: JobRequest<T, C>): Promise<string> {
    const { type, payload, credential, requestId, jobId = newId() } = request;
    const { projectId, userId } = credential;
    const { resourceId = null } = request;
    const createdAt = Date.now();
    const record = newRecord({ id: jobId, type, projectId, userId, requestId, resourceId, createdAt });
    let queued: QueuedJob<T> | undefined;
    let outcome: unknown;
    try {
      const credentialHandle = await this.#credentials.put(credential);
      queued = { type, payload, credentialHandle, requestId, projectId };
      outcome = await this.#write(record, queued, request.exclusive?.subject);
      if (isTaken(outcome)) await this.#queues.add(jobId, queued);
    } catch (cause) {
      if (queued !== undefined) void this.#withdraw(record, queued, request.exclusive?.subject);
      throw storeUnavailable('The job could not be queued. Please try again.', {
        cause,
        retryAfterSeconds: 5,
      });
    }
    if (!isTaken(outcome)) {
      await this.#credentials.remove(queued.credentialHandle);
      if (typeof outcome === 'string') throw conflict(request.exclusive?.refusal ?? '', { jobId: outcome });
      throw rateLimited('The project has too many jobs waiting. Please wait until some have ended.', {
        retryAfterSeconds: REFUSED_RETRY_AFTER_SECONDS,
      });
    }
    return jobId;
  }

  /** What the script says. */
  #write(record: JobRecord, queued: QueuedJob, subject: string | undefined): Promise<unknown> {
    const { waitingLimit, replicatedWrite = unreplicatedWrite } = this.#options;
    const keys = keysOf(record, subject);
    // The credential was written just before, and what stands in the queue is in the record as well.
    return replicatedWrite(this.#redis, jobKeys.record(record.id), (pipeline) =>
      pipeline.eval(
        ENQUEUE_SCRIPT,
        keys.length,
        ...keys,
        record.id,
        record.createdAt,
        jobTraits[record.type].isLimited ? waitingLimit : 0,
        subject === undefined ? '' : '1',
        record.projectId,
        ...Object.entries({ ...toHash(record), queued: JSON.stringify(queued) }).flat(),
      ),
    );
  }

  /**
   * The queue may have taken the job although its answer did not come, and the caller is told that nothing
   * was started: a job without its record does not run.
   */
  async #withdraw(record: JobRecord, queued: QueuedJob, subject: string | undefined): Promise<void> {
    const keys = keysOf(record, subject);
    try {
      await this.#redis.eval(WITHDRAW_SCRIPT, keys.length, ...keys, record.id, JSON.stringify(queued));
    } catch {
      // Redis is away for this as well.
    }
  }
}

function isTaken(outcome: unknown): boolean {
  return outcome !== REFUSED && typeof outcome !== 'string';
}

/** The keys that the scripts take. */
function keysOf({ id, type, projectId }: JobRecord, subject = ''): string[] {
  const { queue, isListed, isListedByType } = jobTraits[type];
  return [
    jobKeys.record(id),
    jobKeys.open,
    jobKeys.waiting(queue, projectId),
    jobKeys.exclusive(subject),
    jobKeys.waitingProjects(queue),
    ...(isListed ? [jobKeys.ofProject(projectId)] : []),
    ...(isListedByType ? [jobKeys.ofType(type)] : []),
  ];
}
