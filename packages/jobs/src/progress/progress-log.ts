import { newId } from '@gateway/core';
import type { Redis } from '@gateway/store';
import { traitsOf } from '../catalog/catalog.ts';
import type { Estimate, EventData, ProgressMessage } from '../catalog/progress-message.ts';
import {
  advanceBar,
  completedEstimate,
  durationsOf,
  estimateAt,
  type JobBar,
  noEstimate,
} from '../estimates/job-bar.ts';
import { formatDurations, type JobDurations, UsualDurations } from '../estimates/usual-durations.ts';
import { claimScript } from '../fairness/claim-script.ts';
import { fairQueueingKeys, runningMember } from '../fairness/fair-queueing.ts';
import { releaseSlotScript } from '../fairness/scripts.ts';
import { FEED_LENGTH } from '../feed/feed.ts';
import { type HistoryLimits, historyArgs, historyKeys } from '../history/append-history.ts';
import { changeKeys, jobKeys } from '../keys.ts';
import type { JobRecord, JobStatus, Leftover } from '../records/job-record.ts';
import type { JournalWrite, JournalWriter, RecordChanges } from '../records/journal-writer.ts';
import { type StoreUse, storeUseKeys } from '../store-use/store-use.ts';
import { type Sweep, serializeSweep } from '../sweeps/sweep.ts';
import { appendRefusals, appendRequests, appendScript } from './append-script.ts';
import { entryOf, readLastMessage } from './job-events.ts';
import { closeRunScript } from './scripts.ts';
import { CancelRequestedError, RecordGoneError, SupersededError } from './write-errors.ts';

/** Changes to the job's record with the last event. */
export interface EndChanges extends RecordChanges {
  status: Exclude<JobStatus, 'queued' | 'running'>;
  leftovers?: Leftover[];
  /** What a job that has completed could not do, for people; null for nothing. */
  problem?: string | null;
}

interface ProgressLogOptions {
  redis: Redis;
  /** How long record and events are kept after the job's end. */
  keepSeconds: number;
  /**
   * How many jobs of a project that failed or were cancelled are kept for this time; 0, the default, for all.
   */
  unsuccessfulLimit?: number;
  /** What is kept of the project's history; nothing by default. */
  history?: HistoryLimits;
}

/** The properties of a job that a claim needs. */
export interface ClaimedJob {
  id: string;
  type: string;
  projectId: string;
}

export interface ClaimOptions extends ProgressLogOptions {
  /** Maximum number of running jobs of the project; 0 for no limit. Absent for a claim that minds none. */
  runningLimit?: number;
  /** The process that works with the store; absent for a command, which works while jobs are held. */
  storeUse?: StoreUse;
  /** After how many lost runs without progress the job is held; 0, the default, for never. */
  lostRunsLimit?: number;
}

const CLAIM_REFUSALS = ['gone', 'busy', 'held', 'store-held'] as const;
type ClaimRefusal = (typeof CLAIM_REFUSALS)[number];

/** The log of one run of one job. A run claims the job first; writes of a superseded run are refused. */
export class ProgressLog implements JournalWriter {
  readonly jobId: string;
  readonly #job: ClaimedJob;
  readonly #options: ProgressLogOptions;
  readonly #fencingToken: string;
  readonly #keys: ReturnType<typeof keysOf>;
  readonly #cancelled = new AbortController();
  readonly #held = new AbortController();
  #bar: JobBar | null = null;
  #usual = new UsualDurations();
  /** How long earlier runs have held a slot. */
  #heldBeforeMs = 0;
  readonly #claimedAt: number;
  /** Number of writes of this run; writes are sequential. */
  #writes = 0;
  /** When the claim was last known to be valid, in `performance.now()` time. */
  #claimHeldAt: number;

  private constructor(job: ClaimedJob, fencingToken: string, claimedAt: number, options: ProgressLogOptions) {
    this.#claimHeldAt = claimedAt;
    this.#claimedAt = claimedAt;
    this.jobId = job.id;
    this.#job = job;
    this.#keys = keysOf(job);
    this.#fencingToken = fencingToken;
    this.#options = options;
  }

  /**
   * Claims the job for this run. Returns `gone` when the job has ended or its record is gone, `busy` when
   * its project runs as many jobs as it may, `store-held` while no job of the store runs, and `held` when
   * this job waits for its release. Without `runningLimit`, a hold of the job is ignored, too.
   */
  static async claim(job: ClaimedJob, options: ClaimOptions): Promise<ProgressLog | ClaimRefusal> {
    const { isListed } = traitsOf(job.type);
    const claimedAt = performance.now();
    const { redis, runningLimit, storeUse, lostRunsLimit = 0 } = options;
    const fencingToken = await claimScript.runReplicated(
      redis,
      {
        ...fairQueueingKeys(job),
        ...storeUseKeys,
        record: jobKeys.record(job.id),
        held: jobKeys.held,
        outbox: jobKeys.outbox,
        ...changeKeys(job.projectId),
      },
      {
        ...(storeUse?.args ?? { process: '', renewedAt: 0, oldAfterMs: 0 }),
        job: job.id,
        member: runningMember(job),
        isForced: runningLimit === undefined,
        runningLimit: runningLimit ?? 0,
        lostRunsLimit,
        run: newId(),
        project: job.projectId,
        isListed,
      },
    );
    const refusal = CLAIM_REFUSALS.find((each) => each === fencingToken);
    if (refusal !== undefined) return refusal;
    return new ProgressLog(job, String(fencingToken), claimedAt, options);
  }

  /** True for the first run of the job. */
  get isFirstRun(): boolean {
    return this.#fencingToken === '1';
  }

  /** Continues the bar of the run before, with the durations of earlier jobs. */
  continueBar({ bar, heldMs }: Pick<JobRecord, 'bar' | 'heldMs'>, usual: UsualDurations): void {
    this.#bar = bar;
    this.#heldBeforeMs = heldMs;
    this.#usual = usual;
  }

  /** Publishes an event and writes an entry of the journal in one script. */
  publish(message: ProgressMessage, changes: RecordChanges = {}, journal?: JournalWrite): Promise<void> {
    const now = Date.now();
    const bar = advanceBar(this.#bar, message, this.#usual, now);
    this.#bar = bar;
    const entry = entryOf(this.#event(message, estimateAt(bar, now)));
    const fields = { ...messageFields(message), bar: JSON.stringify(bar), ...toFields(changes) };
    const { isCommitting, resourceId } = changes;
    return this.#write({ entry, journal, fields, failIfCancelRequested: isCommitting, resourceId });
  }

  async announce(text: string, changes: RecordChanges, journal?: JournalWrite): Promise<void> {
    const last = await readLastMessage(this.#options.redis, this.jobId);
    if (last === null) return this.record(changes, journal);
    const message = { ...last, message: text };
    const entry = entryOf(this.#event(message, noEstimate));
    return this.#write({ entry, journal, fields: { ...messageFields(message), ...toFields(changes) } });
  }

  /** Aborted once a write has found that cancellation was requested. */
  get cancelled(): AbortSignal {
    return this.#cancelled.signal;
  }

  /** Aborted once a write has found that the job is to be held. */
  get held(): AbortSignal {
    return this.#held.signal;
  }

  /**
   * Publishes the last event. With `failIfCancelRequested` it throws `CancelRequestedError` instead when
   * cancellation was requested: a job whose cancellation was accepted must not complete.
   */
  end(message: ProgressMessage, changes: EndChanges, options: EndOptions = {}): Promise<void> {
    const isCompleted = changes.status === 'completed';
    const entry = entryOf(this.#event(message, isCompleted ? completedEstimate : noEstimate), true);
    const fields = { ...messageFields(message), ...toFields(changes) };
    const { sweep, failIfCancelRequested } = options;
    const steps = isCompleted ? durationsOf(this.#bar, Date.now()) : [];
    const durations = { steps, heldMs: this.#heldBeforeMs + this.#heldMs() };
    return this.#write({ entry, fields, isLast: true, failIfCancelRequested, sweep, durations });
  }

  /** How long this run has held its slot. */
  #heldMs(): number {
    return Math.round(performance.now() - this.#claimedAt);
  }

  #event(message: ProgressMessage, estimate: Estimate): EventData {
    return { ...message, job_id: this.jobId, ...estimate };
  }

  /** Writes to the journal or the record without publishing an event. */
  record(changes: RecordChanges, journal?: JournalWrite): Promise<void> {
    const { isCommitting, resourceId } = changes;
    const fields = toFields(changes);
    return this.#write({ journal, fields, failIfCancelRequested: isCommitting, resourceId });
  }

  /**
   * Notes that this run is over although the job is not. A run that does not, nor ends or parks the job,
   * counts as lost with its worker.
   */
  async closeRun(): Promise<void> {
    const keys = { record: jobKeys.record(this.jobId) };
    await closeRunScript.run(this.#options.redis, keys, { fencingToken: this.#fencingToken });
  }

  /**
   * Releases the slot of a parked job to another job. A job that has begun resumes without waiting for a
   * slot.
   */
  async releaseSlot(): Promise<void> {
    const { queue } = traitsOf(this.#job.type);
    await releaseSlotScript.run(
      this.#options.redis,
      { record: jobKeys.record(this.jobId), running: jobKeys.running(queue) },
      { member: runningMember(this.#job), fencingToken: this.#fencingToken, heldMs: this.#heldMs() },
    );
  }

  /**
   * Throws when another run has claimed the job. Reads the store unless the claim was known to be valid
   * within the last `freshMs`, in which no other worker can have received the job.
   */
  async assertClaimHeld(freshMs: number): Promise<void> {
    if (performance.now() - this.#claimHeldAt <= freshMs) return;
    try {
      await this.#write({ fields: {} });
    } catch (error) {
      // No other run can claim a job without a record, so this run still has to roll back.
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
      resourceId = '',
      durations = null,
    } = write;
    const askedAt = performance.now();
    const { redis, keepSeconds, unsuccessfulLimit = 0 } = this.#options;
    const isQuestion = entry === '' && journal === undefined && Object.keys(fields).length === 0;
    const result = await appendScript.runReplicated(redis, this.#keys, {
      job: this.jobId,
      member: runningMember(this.#job),
      fencingToken: this.#fencingToken,
      writeNumber: isQuestion ? '' : ++this.#writes,
      entry,
      feedLength: FEED_LENGTH,
      journalField: journal?.field ?? '',
      journalValue: journal?.value ?? '',
      isProgress: journal?.isProgress ?? false,
      listedResource: traitsOf(this.#job.type).isListed ? resourceId : '',
      isLast,
      failIfCancelRequested,
      sweep: sweep === null ? '' : serializeSweep(sweep),
      durationsEntry: durations === null || durations.steps.length === 0 ? '' : formatDurations(durations),
      keepSeconds,
      unsuccessfulLimit,
      project: this.#job.projectId,
      isListed: traitsOf(this.#job.type).isListed,
      ...historyArgs(this.#options.history),
      fields: Object.entries(fields).flat(),
    });
    if (result === appendRefusals.superseded) throw new SupersededError(this.jobId);
    if (result === appendRefusals.gone) throw new RecordGoneError(this.jobId);
    if (result === appendRefusals.cancelRequested) throw new CancelRequestedError(this.jobId);
    if (result === appendRequests.cancel) this.#cancelled.abort();
    if (result === appendRequests.hold) this.#held.abort();
    this.#claimHeldAt = askedAt;
  }
}

interface LogWrite {
  entry?: string;
  journal?: JournalWrite;
  fields: Record<string, string>;
  isLast?: boolean;
  failIfCancelRequested?: boolean;
  sweep?: Sweep | null;
  /** The resource of the job, which was not known before. */
  resourceId?: string;
  /** Of a job that has completed. */
  durations?: JobDurations | null;
}

interface EndOptions {
  failIfCancelRequested?: boolean;
  /** What to sweep after the job's end; null for nothing. */
  sweep?: Sweep | null;
}

/** The keys of `appendScript`. */
function keysOf({ id, type, projectId }: ClaimedJob) {
  const { queue } = traitsOf(type);
  return {
    record: jobKeys.record(id),
    log: jobKeys.log(id),
    ...changeKeys(projectId),
    journal: jobKeys.journal(id),
    open: jobKeys.open,
    held: jobKeys.held,
    running: jobKeys.running(queue),
    sweeps: jobKeys.sweeps,
    failed: jobKeys.failed(queue),
    unsuccessfulJobs: jobKeys.unsuccessful(projectId),
    projectJobs: jobKeys.ofProject(projectId),
    resourceJobsPrefix: jobKeys.ofResource(''),
    durations: jobKeys.durations(type),
    ...historyKeys(projectId),
    outbox: jobKeys.outbox,
  };
}

function messageFields({ step, progress, message }: ProgressMessage): Record<string, string> {
  return { step, progress: String(progress), message };
}

function toFields(changes: Partial<EndChanges>): Record<string, string> {
  const fields: Record<string, string> = {};
  if (changes.status !== undefined) fields.status = changes.status;
  if (changes.resourceId !== undefined) fields.resourceId = changes.resourceId;
  if (changes.isRollingBack) fields.isRollingBack = '1';
  if (changes.isCommitting !== undefined) fields.isCommitting = changes.isCommitting ? '1' : '';
  if (changes.failure !== undefined) fields.failure = JSON.stringify(changes.failure);
  if (changes.problem) fields.problem = changes.problem;
  if (changes.leftovers !== undefined) fields.leftovers = JSON.stringify(changes.leftovers);
  return fields;
}
