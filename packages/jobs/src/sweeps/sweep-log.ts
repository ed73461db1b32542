import type { Redis } from '@gateway/store';
import type { ProgressMessage } from '../catalog/progress-message.ts';
import { jobKeys } from '../keys.ts';
import { type Leftover, readJob } from '../records/job-record.ts';
import type { JournalWrite, JournalWriter, RecordChanges } from '../records/journal-writer.ts';
import { recordAfterEndScript, sweepScript } from './scripts.ts';
import { type Sweep, serializeSweep } from './sweep.ts';

interface SweepLogOptions {
  redis: Redis;
  keepSeconds: number;
  /** As for `ProgressLog`. */
  unsuccessfulLimit?: number;
}

/** Writes the results of sweeping one ended job. */
export class SweepLog implements JournalWriter {
  readonly jobId: string;
  readonly #redis: Redis;
  readonly #keepSeconds: number;
  readonly #unsuccessfulLimit: number;

  constructor(jobId: string, options: SweepLogOptions) {
    this.jobId = jobId;
    this.#redis = options.redis;
    this.#keepSeconds = options.keepSeconds;
    this.#unsuccessfulLimit = options.unsuccessfulLimit ?? 0;
  }

  /** Publishes nothing: only the journal of an ended job still changes. */
  publish(_message: ProgressMessage, changes?: RecordChanges, journal?: JournalWrite): Promise<void> {
    return this.record(changes ?? {}, journal);
  }

  announce(_text: string, changes: RecordChanges, journal?: JournalWrite): Promise<void> {
    return this.record(changes, journal);
  }

  async record(_changes: RecordChanges, journal?: JournalWrite): Promise<void> {
    if (journal === undefined) return;
    const keys = { record: jobKeys.record(this.jobId), journal: jobKeys.journal(this.jobId) };
    await recordAfterEndScript.run(this.#redis, keys, { ...journal });
  }

  /** Ends the sweep and leaves the leftovers. The keys of the job expire. */
  async abandon(): Promise<void> {
    await this.close((await readJob(this.#redis, this.jobId))?.leftovers ?? [], null);
  }

  /** With `sweep` null, nothing remains to be swept, and the job's keys expire. */
  async close(leftovers: Leftover[], sweep: Sweep | null): Promise<void> {
    await sweepScript.run(
      this.#redis,
      {
        record: jobKeys.record(this.jobId),
        journal: jobKeys.journal(this.jobId),
        log: jobKeys.log(this.jobId),
        sweeps: jobKeys.sweeps,
        unsuccessfulPrefix: jobKeys.unsuccessful(''),
        projectJobsPrefix: jobKeys.ofProject(''),
        resourceJobsPrefix: jobKeys.ofResource(''),
      },
      {
        job: this.jobId,
        leftovers: JSON.stringify(leftovers),
        sweep: sweep === null ? '' : serializeSweep(sweep),
        keepSeconds: this.#keepSeconds,
        unsuccessfulLimit: this.#unsuccessfulLimit,
      },
    );
  }
}
