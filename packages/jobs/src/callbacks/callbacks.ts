import { formatStored, parseStored, type Sealer, storedForms } from '@gateway/core';
import type { Redis } from '@gateway/store';
import type { JobType } from '../catalog/catalog.ts';
import { jobKeys } from '../keys.ts';
import { hashOf, jobIdIn, ReportTokens, tokenField } from './report-tokens.ts';
import { acceptReportScript } from './scripts.ts';

/**
 * The last report of a server to the job that created it. The final report invalidates its token. Interim
 * reports may have another body.
 */
export type CallbackReport<Final, Interim = Final> = Reception &
  ({ isFinal: true; body: Final } | { isFinal: false; body: Interim });

interface Reception {
  /** Increases with each report to the job, independent of clocks. */
  number: number;
  /** When it was received, in milliseconds since the epoch. */
  at: number;
}

interface CallbacksOptions {
  redis: Redis;
  sealer: Sealer;
  /** Minimum time for which a final report is kept. */
  keepSeconds: number;
}

interface StoredReport {
  sealed: string;
  isFinal: boolean;
  at: number;
}

/** The type of the reporting job, and whether this is its last report. */
interface ReportKind {
  type: JobType;
  isFinal: boolean;
}

const PURPOSE = 'callback';

/**
 * Tokens with which servers created by jobs report back, and their reports. Storing a final report
 * invalidates the token. Repeating the same final report succeeds. See decision 28.
 */
export class Callbacks extends ReportTokens {
  readonly #options: CallbacksOptions;

  constructor(options: CallbacksOptions) {
    super({ ...options, keyOf: jobKeys.callback });
    this.#options = options;
  }

  /**
   * Stores a report and returns the job's id; null when the token is invalid, used, expired, or of a job of
   * another type.
   */
  async accept(token: string, body: unknown, { type, isFinal }: ReportKind): Promise<string | null> {
    const { redis, sealer, keepSeconds } = this.#options;
    const jobId = jobIdIn(token);
    if (jobId === null) return null;
    const text = JSON.stringify(body);
    const report = { sealed: sealer.seal(PURPOSE, text), isFinal, at: Date.now() };
    const keys = { callback: jobKeys.callback(jobId), record: jobKeys.record(jobId) };
    const outcome = await acceptReportScript.runReplicated(redis, keys, {
      tokenField: tokenField(token),
      jobType: type,
      report: formatStored(storedForms.machineReport, report),
      finalHash: isFinal ? hashOf(token + text) : '',
      keepSeconds,
    });
    return outcome === 1 ? jobId : null;
  }

  /** The last report; null without one. */
  async read<Final, Interim = Final>(jobId: string): Promise<CallbackReport<Final, Interim> | null> {
    const { redis, sealer } = this.#options;
    const [text, number] = await redis.hmget(jobKeys.callback(jobId), 'report', 'number');
    if (typeof text !== 'string') return null;
    const { sealed, ...report } = parseStored<StoredReport>(storedForms.machineReport, text);
    const body = JSON.parse(sealer.open(PURPOSE, sealed)) as Final & Interim;
    return { ...report, number: Number(number), body } as CallbackReport<Final, Interim>;
  }

  /** Refuses all further reports to the job. */
  async close(jobId: string): Promise<void> {
    await this.#options.redis.del(jobKeys.callback(jobId));
  }
}
