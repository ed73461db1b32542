import type { Redis } from '@gateway/redis';
import type { ProgressMessage } from './catalog.ts';
import { jobKeys } from './keys.ts';
import type { JobFailure, JobStatus, Leftover } from './records.ts';

/** An event of a job: `seq` counts from 1 and is the event's id on the wire. */
export interface JobEvent {
  seq: number;
  /** One line of JSON, as it is sent. */
  data: string;
  /** No event follows. */
  last: boolean;
}

/** What an event changes on the job's record beside step, progress and message. */
export interface RecordChanges {
  status?: JobStatus;
  resourceId?: string;
  failure?: JobFailure;
  leftovers?: Leftover[];
}

/** Thrown when a later run has taken the job over: the earlier one must stop and touch nothing. */
export class SupersededError extends Error {
  constructor(jobId: string) {
    super(`Job ${jobId} was taken over by another worker.`);
    this.name = 'SupersededError';
  }
}

/**
 * Writes one event: record, log and feed change together or not at all. Nothing is written once the job has
 * ended (so there is exactly one last event), nor by a run that was superseded.
 *
 * ARGV: 1 epoch ('' for any), 2 log entry, 3 job id, 4 longest feed, 5 seconds to keep, 6 '1' when last,
 * 7 journal field ('' for none), 8 journal value, then pairs of record fields.
 */
const APPEND_SCRIPT = `
  local status = redis.call('HGET', KEYS[1], 'status')
  if not status then return -2 end
  if ARGV[1] ~= '' and redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return -1 end
  if status == 'completed' or status == 'failed' or status == 'cancelled' then return 0 end
  redis.call('HSET', KEYS[1], unpack(ARGV, 9))
  if ARGV[7] ~= '' then redis.call('HSET', KEYS[4], ARGV[7], ARGV[8]) end
  local seq = 0
  if ARGV[2] ~= '' then
    seq = redis.call('RPUSH', KEYS[2], ARGV[2])
    redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[4], '*', 'job', ARGV[3], 'seq', seq, 'entry', ARGV[2])
  end
  if ARGV[6] == '1' then
    for _, key in ipairs({ KEYS[1], KEYS[2], KEYS[4] }) do redis.call('EXPIRE', key, ARGV[5]) end
  end
  return seq`;

const CLAIM_SCRIPT = `
  if redis.call('EXISTS', KEYS[1]) == 0 then return '' end
  if redis.call('HGET', KEYS[1], 'status') == 'queued' then redis.call('HSET', KEYS[1], 'status', 'running') end
  return tostring(redis.call('HINCRBY', KEYS[1], 'epoch', 1))`;

/** How many events the feed holds at least; what fell out of it is still in the logs of the jobs. */
export const FEED_LENGTH = 10_000;
const LAST = '!';
const MORE = '.';

export interface ProgressLogOptions {
  redis: Redis;
  /** How long record and events are kept after the end. */
  keepSeconds: number;
}

/** The log of one run of one job. A run claims the job first; what a superseded run writes is refused. */
export class ProgressLog {
  readonly jobId: string;
  readonly #options: ProgressLogOptions;
  readonly #epoch: string;

  private constructor(jobId: string, epoch: string, options: ProgressLogOptions) {
    this.jobId = jobId;
    this.#epoch = epoch;
    this.#options = options;
  }

  /** Makes this run the one that owns the job; null when the job's record is gone. */
  static async claim(jobId: string, options: ProgressLogOptions): Promise<ProgressLog | null> {
    const epoch = (await options.redis.eval(CLAIM_SCRIPT, 1, jobKeys.record(jobId))) as string;
    return epoch === '' ? null : new ProgressLog(jobId, epoch, options);
  }

  /** Appends an event and, in the same breath, an entry of the journal. */
  append(message: ProgressMessage, changes: RecordChanges = {}, journal?: JournalWrite): Promise<void> {
    const last = changes.status !== undefined && changes.status !== 'running';
    return this.#write(`${last ? LAST : MORE}${JSON.stringify(message)}`, last, journal, {
      step: message.step,
      progress: String(message.progress),
      message: message.message,
      ...toFields(changes),
    });
  }

  /** Writes to the journal or the record without telling the streams. */
  note(changes: RecordChanges, journal?: JournalWrite): Promise<void> {
    return this.#write('', false, journal, toFields(changes));
  }

  async #write(
    entry: string,
    last: boolean,
    journal: JournalWrite | undefined,
    fields: Record<string, string>,
  ): Promise<void> {
    const result = await this.#options.redis.eval(
      APPEND_SCRIPT,
      4,
      jobKeys.record(this.jobId),
      jobKeys.log(this.jobId),
      jobKeys.feed,
      jobKeys.journal(this.jobId),
      this.#epoch,
      entry,
      this.jobId,
      FEED_LENGTH,
      this.#options.keepSeconds,
      last ? '1' : '',
      journal?.field ?? '',
      journal?.value ?? '',
      ...Object.entries({ ...fields, updatedAt: String(Date.now()) }).flat(),
    );
    if (result === -1) throw new SupersededError(this.jobId);
  }
}

export interface JournalWrite {
  field: string;
  value: string;
}

function toFields(changes: RecordChanges): Record<string, string> {
  const fields: Record<string, string> = {};
  if (changes.status !== undefined) fields.status = changes.status;
  if (changes.resourceId !== undefined) fields.resourceId = changes.resourceId;
  if (changes.failure !== undefined) fields.failure = JSON.stringify(changes.failure);
  if (changes.leftovers !== undefined) fields.leftovers = JSON.stringify(changes.leftovers);
  return fields;
}

/** The events of a job after number `afterSeq`, oldest first. */
export async function readEvents(redis: Redis, jobId: string, afterSeq: number): Promise<JobEvent[]> {
  const entries = await redis.lrange(jobKeys.log(jobId), afterSeq, -1);
  return entries.map((entry, index) => parseEntry(afterSeq + index + 1, entry));
}

export function parseEntry(seq: number, entry: string): JobEvent {
  return { seq, data: entry.slice(1), last: entry[0] === LAST };
}
