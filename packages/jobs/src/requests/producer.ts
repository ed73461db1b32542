import { conflict, formatStored, newId, rateLimited, storedForms, storeUnavailable } from '@gateway/core';
import type { TraceContext, Tracing } from '@gateway/platform';
import type { Redis } from '@gateway/store';
import type { JobPayload, JobType } from '../catalog/catalog.ts';
import { traitsOf } from '../catalog/catalog.ts';
import type { QueuedJob } from '../catalog/queued-job.ts';
import type { CredentialStore } from '../credentials/credentials.ts';
import { fairQueueingKeys } from '../fairness/fair-queueing.ts';
import { admitBlockedJobs, queueAdmitted, queueJob } from '../fairness/queue-job.ts';
import { changeKeys, jobKeys, resourceOf } from '../keys.ts';
import type { Queues } from '../queues/queues.ts';
import { type NewRecord, newRecord, toHash } from '../records/job-record.ts';
import { enqueueScript, STORE_HELD, TOO_MANY_WAITING } from './enqueue-script.ts';
import { withdrawScript } from './scripts.ts';

/** The project and the user of a job. */
export interface JobOwner {
  projectId: string;
  userId: string;
  /** Null for a job that no request has started. */
  userName?: string | null;
  /** ISO 8601; the job's credential expires then. */
  expiresAt: string;
}

export interface JobRequest<T extends JobType, C> extends JobRequestFields<T> {
  credential: C;
}

interface JobRequestFields<T extends JobType> {
  type: T;
  payload: JobPayload<T>;
  requestId: string;
  /** The resource that the job changes, if it is known before the job runs. */
  resourceId?: string;
  /** For people; set if it is known before the job runs. */
  resourceName?: string;
  /** Set if it does not follow from the type of the job (`JobTraits`). */
  resourceType?: string;
  /** Set by a caller that may retry: enqueueing the same id again has no effect. Defaults to a new id. */
  jobId?: string;
  /** Refuses the job with 409 while another job on the same subject is unfinished. */
  exclusive?: { subject: string; refusal: string };
}

/** What the record of a job has of its owner. */
type RecordedOwner = Pick<JobOwner, 'projectId' | 'userId' | 'userName'>;

interface ProducerOptions {
  /** Maximum number of waiting jobs of a project on one queue; 0 for no limit. */
  waitingLimit: number;
  /** The job becomes part of the active trace, or of one of its own. */
  tracing?: Tracing | null;
}

const REFUSED_RETRY_AFTER_SECONDS = 30;
const HELD_RETRY_AFTER_SECONDS = 300;
const HELD =
  'The data of the gateway may be older than the cloud, so no job starts until an administrator has checked them. Please try again later.';

/** Adds jobs to their queues. */
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
   * Queues a job and returns its id. The record is written before the job can run.
   *
   * @throws 503 when the store is unavailable or held (no job was started), 429 when the project has too many
   * waiting jobs, 409 with the id of the unfinished job on the same subject
   */
  enqueue<T extends JobType>(request: JobRequest<T, C>): Promise<string> {
    return this.#enqueue(request, request.credential, request.credential);
  }

  /**
   * Queues a job with rights of its own, so that no credential is stored. For jobs that the gateway itself
   * starts: after an error the caller repeats the call with the same `jobId`, so nothing is withdrawn.
   */
  enqueueWithoutCredential<T extends JobType>(
    request: JobRequestFields<T>,
    owner: RecordedOwner,
  ): Promise<string> {
    return this.#enqueue(request, owner, null);
  }

  #enqueue<T extends JobType>(
    request: JobRequestFields<T>,
    owner: RecordedOwner,
    credential: C | null,
  ): Promise<string> {
    const { tracing = null } = this.#options;
    if (tracing === null) return this.#add(request, owner, credential);
    const attributes = { 'gateway.job.type': request.type, 'gateway.request_id': request.requestId };
    return tracing.inSpan(`enqueue ${request.type}`, { kind: 'producer', attributes }, async (span) => {
      const jobId = await this.#add(request, owner, credential, span.context);
      span.set({ 'gateway.job.id': jobId });
      return jobId;
    });
  }

  async #add<T extends JobType>(
    request: JobRequestFields<T>,
    { projectId, userId, userName = null }: RecordedOwner,
    credential: C | null,
    trace?: TraceContext,
  ): Promise<string> {
    const { type, payload, requestId, jobId = newId() } = request;
    const { resourceId, resourceName, resourceType } = request;
    const record = newRecord({
      id: jobId,
      type,
      projectId,
      userId,
      userName,
      requestId,
      ...(resourceId !== undefined && { resourceId }),
      ...(resourceName !== undefined && { resourceName }),
      ...(resourceType !== undefined && { resourceType }),
    });
    let queued: QueuedJob<T> | undefined;
    let outcome: unknown;
    try {
      const credentialHandle = credential === null ? null : await this.#credentials.put(credential);
      queued = { type, payload, credentialHandle, requestId, projectId, trace };
      outcome = await this.#write(record, queued, request.exclusive?.subject);
      if (outcome === null) await queueJob(this.#redis, this.#queues, jobId, queued);
      else if (isTaken(outcome))
        await queueAdmitted(this.#redis, this.#queues, jobId, queued, Number(outcome));
    } catch (cause) {
      if (queued !== undefined && credential !== null)
        void this.#withdraw(record, queued, request.exclusive?.subject);
      throw storeUnavailable('The job could not be queued. Please try again.', {
        cause,
        retryAfterSeconds: 5,
      });
    }
    if (!isTaken(outcome)) {
      if (queued.credentialHandle !== null) await this.#credentials.remove(queued.credentialHandle);
      if (outcome === STORE_HELD)
        throw storeUnavailable(HELD, { retryAfterSeconds: HELD_RETRY_AFTER_SECONDS });
      if (typeof outcome === 'string')
        throw conflict('busy', request.exclusive?.refusal ?? '', { jobId: outcome });
      throw rateLimited('The project has too many jobs waiting. Please wait until some have ended.', {
        retryAfterSeconds: REFUSED_RETRY_AFTER_SECONDS,
      });
    }
    return jobId;
  }

  /** Returns the script's result. */
  #write(record: NewRecord, queued: QueuedJob, subject: string | undefined): Promise<unknown> {
    const { waitingLimit } = this.#options;
    // Also covers the credential, written just before. The record contains the queue entry.
    return enqueueScript.runReplicated(this.#redis, keysOf(record, subject), {
      job: record.id,
      project: record.projectId,
      runningLimit: this.#queues.runningLimits[traitsOf(record.type).queue],
      queued: formatStored(storedForms.job, queued),
      waitingLimit: traitsOf(record.type).isLimited ? waitingLimit : 0,
      isExclusive: subject !== undefined,
      isListed: traitsOf(record.type).isListed,
      fields: Object.entries(toHash(record)).flat(),
    });
  }

  /**
   * The queue may contain the job although its response was lost, while the caller gets an error. A job
   * without a record does not run.
   */
  async #withdraw(record: NewRecord, queued: QueuedJob, subject: string | undefined): Promise<void> {
    const args = {
      job: record.id,
      project: record.projectId,
      queued: formatStored(storedForms.job, queued),
      isListed: traitsOf(record.type).isListed,
    };
    try {
      await withdrawScript.run(this.#redis, keysOf(record, subject), args);
      // Another job of the project may have waited for this one.
      await admitBlockedJobs(this.#redis, this.#queues, record, { isRepeated: false });
    } catch {
      // Redis is still unavailable.
    }
  }
}

function isTaken(outcome: unknown): boolean {
  return outcome !== TOO_MANY_WAITING && outcome !== STORE_HELD && typeof outcome !== 'string';
}

/** The keys that the scripts take. */
function keysOf({ id, type, projectId, resourceId }: NewRecord, subject = '') {
  const { isListed, isListedByType } = traitsOf(type);
  return {
    ...fairQueueingKeys({ type, projectId }),
    record: jobKeys.record(id),
    open: jobKeys.open,
    hold: jobKeys.storeHold,
    held: jobKeys.held,
    exclusive: jobKeys.exclusive(subject),
    ...changeKeys(projectId),
    lists: [
      jobKeys.all,
      ...(isListed ? [jobKeys.ofProject(projectId)] : []),
      ...(isListed && resourceId !== null ? [jobKeys.ofResource(resourceOf(projectId, resourceId))] : []),
      ...(isListedByType ? [jobKeys.ofType(type)] : []),
    ],
  };
}
