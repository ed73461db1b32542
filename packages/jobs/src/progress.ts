import { type Redis, type ReplicatedWrite, unreplicatedWrite } from '@gateway/redis';
import { type JobType, jobTraits, type ProgressMessage } from './catalog.ts';
import { fairQueueingArgs, fairQueueingKeys, runningMember, type SlotLimits } from './fair-queueing.ts';
import { entryOf } from './job-events.ts';
import type { JournalWrite, JournalWriter, RecordChanges } from './journal-writer.ts';
import { jobKeys } from './keys.ts';
import { APPEND_SCRIPT, CLAIM_SCRIPT, RELEASE_SLOT_SCRIPT } from './progress-scripts.ts';
import type { JobFailure, JobStatus, Leftover } from './records.ts';
import { CancelRequestedError, RecordGoneError, SupersededError } from './refused-writes.ts';
import { type Sweep, serializeSweep } from './sweeps.ts';

/** What the last event changes. */
export interface EndChanges extends RecordChanges {
  status: Exclude<JobStatus, 'queued' | 'running'>;
  failure?: JobFailure;
  leftovers?: Leftover[];
}

/** How many events the feed holds at least; what fell out of it is still in the logs of the jobs. */
export const FEED_LENGTH = 10_000;

export interface ProgressLogOptions {
  redis: Redis;
  /** How long record and events are kept after the end. */
  keepSeconds: number;
  /** Has each write outlive a failover before it is gone on from; waits for nothing unless given. */
  replicatedWrite?: ReplicatedWrite;
}

/** What is to be known of a job to claim it. */
export interface ClaimedJob {
  id: string;
  type: JobType;
  projectId: string;
}

export interface ClaimOptions extends ProgressLogOptions, Partial<SlotLimits> {
  /** The projects whose turn would come before have no job that could begin. */
  mayOvertake?: boolean;
  /** The worker has no slot for a job of this project. */
  isWorkerFull?: boolean;
}

const SUPERSEDED = -1;
const GONE = -2;
const REFUSED_BY_CANCEL = -3;
const CANCEL_REQUESTED = '1';

/** The log of one run of one job. A run claims the job first; what a superseded run writes is refused. */
export class ProgressLog implements JournalWriter {
  readonly jobId: string;
  readonly #job: ClaimedJob;
  readonly #options: ProgressLogOptions;
  readonly #epoch: string;
  readonly #cancelled = new AbortController();
  /** Writes of this run so far: they come one after the other. */
  #writes = 0;
  /** When this run was last known to own the job, by the clock of `performance`. */
  #ownedAt: number;

  private constructor(job: ClaimedJob, epoch: string, claimedAt: number, options: ProgressLogOptions) {
    this.#ownedAt = claimedAt;
    this.jobId = job.id;
    this.#job = job;
    this.#epoch = epoch;
    this.#options = options;
  }

  /**
   * Makes this run the one that owns the job: `gone` when it has ended or its record is gone, `busy` when it
   * has to wait because it is not its project's turn. With no `runningLimit` it waits for no turn.
   */
  static async claim(job: ClaimedJob, options: ClaimOptions): Promise<ProgressLog | 'gone' | 'busy'> {
    const { queue } = jobTraits[job.type];
    const claimedAt = performance.now();
    const {
      redis,
      replicatedWrite = unreplicatedWrite,
      runningLimit,
      ownSlots,
      mayOvertake,
      isWorkerFull,
    } = options;
    const keys = [...fairQueueingKeys(queue), jobKeys.record(job.id), jobKeys.waiting(queue, job.projectId)];
    const inTurn = mayOvertake ? 'next' : 'in turn';
    const epoch = await replicatedWrite(redis, jobKeys.record(job.id), (pipeline) =>
      pipeline.eval(
        CLAIM_SCRIPT,
        keys.length,
        ...keys,
        ...fairQueueingArgs({ runningLimit: runningLimit ?? 0, ownSlots }, job.projectId),
        job.id,
        runningLimit === undefined ? '' : inTurn,
        isWorkerFull ? 'full' : '',
      ),
    );
    if (epoch === 'gone' || epoch === 'busy') return epoch;
    return new ProgressLog(job, String(epoch), claimedAt, options);
  }

  /** Appends an event and, in the same breath, an entry of the journal. */
  publish(message: ProgressMessage, changes: RecordChanges = {}, journal?: JournalWrite): Promise<void> {
    const entry = entryOf(this.#event(message));
    const fields = { ...messageFields(message), ...toFields(changes) };
    return this.#write({ entry, journal, fields, failIfCancelRequested: changes.isBinding });
  }

  /** Aborted once a write has heard that somebody wishes to cancel the job. */
  get cancelled(): AbortSignal {
    return this.#cancelled.signal;
  }

  /**
   * Appends the last event. A wish to cancel comes before it where that is said (`CancelRequestedError`): whoever
   * was told that a job will be cancelled must not see it complete.
   */
  end(message: ProgressMessage, changes: EndChanges, options: EndOptions = {}): Promise<void> {
    const entry = entryOf(this.#event(message), true);
    const fields = { ...messageFields(message), ...toFields(changes) };
    const { sweep, failIfCancelRequested } = options;
    return this.#write({ entry, fields, isLast: true, failIfCancelRequested, sweep });
  }

  /** A client that follows several jobs tells their events apart by the job's id. */
  #event(message: ProgressMessage): ProgressMessage & { job_id: string } {
    return { ...message, job_id: this.jobId };
  }

  /** Writes to the journal or the record without telling the streams. */
  record(changes: RecordChanges, journal?: JournalWrite): Promise<void> {
    return this.#write({ journal, fields: toFields(changes), failIfCancelRequested: changes.isBinding });
  }

  /**
   * Leaves the job's place among those of its project that run to another: it is parked. Once begun, it goes on
   * without waiting for one.
   */
  async releaseSlot(): Promise<void> {
    const running = jobKeys.running(jobTraits[this.#job.type].queue);
    const record = jobKeys.record(this.jobId);
    await this.#options.redis.eval(
      RELEASE_SLOT_SCRIPT,
      2,
      record,
      running,
      runningMember(this.#job),
      this.#epoch,
    );
  }

  /**
   * Throws when another run has taken the job over. That is asked unless it was confirmed in the last `freshMs`,
   * in which nobody else can have been given the job.
   */
  async assertClaimHeld(freshMs: number): Promise<void> {
    if (performance.now() - this.#ownedAt <= freshMs) return;
    try {
      await this.#write({ fields: {} });
    } catch (error) {
      // A job that nobody knows any more is nobody else's: this run still has to take back what it made.
      if (!(error instanceof RecordGoneError)) throw error;
    }
  }

  async #write(write: LogWrite): Promise<void> {
    const {
      entry = '',
      journal,
      fields,
      isLast = false,
      failIfCancelRequested = false,
      sweep = null,
    } = write;
    const { queue } = jobTraits[this.#job.type];
    const askedAt = performance.now();
    const { redis, keepSeconds, replicatedWrite = unreplicatedWrite } = this.#options;
    const isQuestion = entry === '' && journal === undefined && Object.keys(fields).length === 0;
    const values = [
      this.#epoch,
      entry,
      this.jobId,
      FEED_LENGTH,
      keepSeconds,
      isLast ? 'last' : '',
      journal?.field ?? '',
      journal?.value ?? '',
      sweep === null ? '' : serializeSweep(sweep),
      isQuestion ? '' : ++this.#writes,
      failIfCancelRequested ? 'unless cancelled' : '',
      ...Object.entries({ ...fields, updatedAt: String(Date.now()) }).flat(),
    ];
    const result = await replicatedWrite(redis, jobKeys.record(this.jobId), (pipeline) =>
      pipeline.eval(
        APPEND_SCRIPT,
        7,
        jobKeys.record(this.jobId),
        jobKeys.log(this.jobId),
        jobKeys.feed,
        jobKeys.journal(this.jobId),
        jobKeys.open,
        jobKeys.running(queue),
        jobKeys.sweeps,
        ...values,
      ),
    );
    if (result === SUPERSEDED) throw new SupersededError(this.jobId);
    if (result === GONE) throw new RecordGoneError(this.jobId);
    if (result === REFUSED_BY_CANCEL) throw new CancelRequestedError(this.jobId);
    if (result === CANCEL_REQUESTED) this.#cancelled.abort();
    this.#ownedAt = askedAt;
  }
}

interface LogWrite {
  entry?: string;
  journal?: JournalWrite;
  fields: Record<string, string>;
  isLast?: boolean;
  failIfCancelRequested?: boolean;
  sweep?: Sweep | null;
}

export interface EndOptions {
  failIfCancelRequested?: boolean;
  /** What is to be swept up afterwards; null for nothing. */
  sweep?: Sweep | null;
}

function messageFields({ step, progress, message }: ProgressMessage): Record<string, string> {
  return { step, progress: String(progress), message };
}

function toFields(changes: Partial<EndChanges>): Record<string, string> {
  const fields: Record<string, string> = {};
  if (changes.status !== undefined) fields.status = changes.status;
  if (changes.resourceId !== undefined) fields.resourceId = changes.resourceId;
  if (changes.isBinding !== undefined) fields.isBound = changes.isBinding ? '1' : '';
  if (changes.failure !== undefined) fields.failure = JSON.stringify(changes.failure);
  if (changes.leftovers !== undefined) fields.leftovers = JSON.stringify(changes.leftovers);
  return fields;
}
