import { newId, storeUnavailable } from '@gateway/core';
import type { Redis } from '@gateway/redis';
import type { JobPayload, JobType } from './catalog.ts';
import type { CredentialStore } from './credentials.ts';
import { jobKeys } from './keys.ts';
import type { Queues } from './queues.ts';
import { type JobRecord, toHash } from './records.ts';

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
}

/** A record nobody queued (its producer died between the two) goes away by itself. */
const UNQUEUED_TTL_SECONDS = 7 * 24 * 3600;

/** Puts jobs on their queues. */
export class Producer<C extends JobOwner> {
  readonly #redis: Redis;
  readonly #queues: Queues;
  readonly #credentials: CredentialStore<C>;

  constructor(redis: Redis, queues: Queues, credentials: CredentialStore<C>) {
    this.#redis = redis;
    this.#queues = queues;
    this.#credentials = credentials;
  }

  /**
   * Queues a job and gives its id. The record is there before the job can run. When the store is away the
   * caller gets a 503 and nothing has been started.
   */
  async enqueue<T extends JobType>(request: JobRequest<T, C>): Promise<string> {
    const jobId = newId();
    const { type, payload, credential, requestId } = request;
    const { projectId, userId } = credential;
    const now = Date.now();
    const record: JobRecord = {
      id: jobId,
      type,
      projectId,
      userId,
      requestId,
      status: 'queued',
      step: null,
      progress: 0,
      message: 'Waiting for a worker.',
      resourceId: request.resourceId ?? null,
      failure: null,
      leftovers: [],
      cancelRequested: false,
      createdAt: now,
      updatedAt: now,
    };
    try {
      const credentialHandle = await this.#credentials.put(credential);
      await this.#redis
        .multi()
        .hset(jobKeys.record(jobId), toHash(record))
        .expire(jobKeys.record(jobId), UNQUEUED_TTL_SECONDS)
        .exec();
      await this.#queues.add(jobId, { type, payload, credentialHandle, requestId, projectId });
    } catch (cause) {
      void this.#withdraw(jobId);
      throw storeUnavailable('The job could not be queued. Please try again.', {
        cause,
        retryAfterSeconds: 5,
      });
    }
    return jobId;
  }

  /**
   * The queue may have taken the job although its answer did not come, and the caller is told that nothing
   * was started: a job without its record does not run.
   */
  async #withdraw(jobId: string): Promise<void> {
    try {
      await this.#redis.eval(WITHDRAW_SCRIPT, 1, jobKeys.record(jobId));
    } catch {
      // Redis is away for this as well.
    }
  }
}

const WITHDRAW_SCRIPT = `
  local status = redis.call('HGET', KEYS[1], 'status')
  if status == 'queued' then redis.call('DEL', KEYS[1])
  elseif status then redis.call('HSET', KEYS[1], 'cancelRequested', '1') end
  return 1`;
