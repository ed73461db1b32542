import { createHash, randomBytes } from 'node:crypto';
import { isId, type Sealer } from '@gateway/core';
import { type Redis, type ReplicatedWrite, unreplicatedWrite } from '@gateway/redis';
import type { JobType } from '../catalog/catalog.ts';
import { jobKeys } from '../keys.ts';

/** The last report of a server to the job that created it. */
export interface CallbackReport<Body> {
  body: Body;
  /** The final report invalidates its token. */
  isFinal: boolean;
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
  /** Waits until replicas have acknowledged a report before it is answered. Defaults to not waiting. */
  replicatedWrite?: ReplicatedWrite;
}

/** What reports, and whether it is the last time. */
interface ReportKind {
  type: JobType;
  isFinal: boolean;
}

const PURPOSE = 'callback';
const TOKEN_BYTES = 32;
const TOKEN_FIELD = 'token:';

/**
 * Tokens with which servers created by jobs report back, and their reports. Only a hash of a token is stored. A token
 * contains the id of its job; storing a final report invalidates it. Repeating the same final report succeeds.
 * See decision 28.
 */
export class Callbacks {
  readonly #options: CallbacksOptions;

  constructor(options: CallbacksOptions) {
    this.#options = options;
  }

  /**
   * Issues a token for a server that the job is about to create. Earlier tokens stay valid: a superseded run must not
   * invalidate the token of the server that the current run created.
   */
  async issueToken(jobId: string, lifetimeSeconds: number): Promise<string> {
    const token = `${jobId}.${randomBytes(TOKEN_BYTES).toString('base64url')}`;
    const { redis, replicatedWrite = unreplicatedWrite } = this.#options;
    const key = jobKeys.callback(jobId);
    await replicatedWrite(redis, key, (pipeline) =>
      pipeline.hset(key, TOKEN_FIELD + hashOf(token), '1').expire(key, lifetimeSeconds),
    );
    return token;
  }

  /** The id of the job that has issued the token, whether or not it still accepts reports; null for an unknown token. */
  async issuerOf(token: string): Promise<string | null> {
    const jobId = jobIdIn(token);
    if (jobId === null) return null;
    const isKnown = await this.#options.redis.hexists(jobKeys.callback(jobId), TOKEN_FIELD + hashOf(token));
    return isKnown === 1 ? jobId : null;
  }

  /** Stores a report and returns the job's id; null when the token is invalid, used, expired, or of a job of another type. */
  async accept(token: string, body: unknown, { type, isFinal }: ReportKind): Promise<string | null> {
    const { redis, sealer, keepSeconds, replicatedWrite = unreplicatedWrite } = this.#options;
    const jobId = jobIdIn(token);
    if (jobId === null) return null;
    const text = JSON.stringify(body);
    const report = { sealed: sealer.seal(PURPOSE, text), isFinal, at: Date.now() };
    const outcome = await replicatedWrite(redis, jobKeys.callback(jobId), (pipeline) =>
      pipeline.eval(
        ACCEPT_SCRIPT,
        2,
        jobKeys.callback(jobId),
        jobKeys.record(jobId),
        TOKEN_FIELD + hashOf(token),
        JSON.stringify(report),
        isFinal ? hashOf(token + text) : '',
        keepSeconds,
        type,
      ),
    );
    return outcome === 1 ? jobId : null;
  }

  /** The last report; null without one. */
  async read<Body>(jobId: string): Promise<CallbackReport<Body> | null> {
    const { redis, sealer } = this.#options;
    const [text, number] = await redis.hmget(jobKeys.callback(jobId), 'report', 'number');
    if (typeof text !== 'string') return null;
    const { sealed, ...report } = JSON.parse(text) as { sealed: string; isFinal: boolean; at: number };
    return { ...report, number: Number(number), body: JSON.parse(sealer.open(PURPOSE, sealed)) as Body };
  }

  /** Refuses all further reports to the job. */
  async close(jobId: string): Promise<void> {
    await this.#options.redis.del(jobKeys.callback(jobId));
  }
}

/**
 * Stores a report. The field `final` is set by the same script, so that a token is never invalidated without a stored
 * report.
 *
 * KEYS: 1 callback, 2 record. ARGV: 1 the token's field, 2 report, 3 hash of a final report ('' for another report), 4
 * minimum seconds for which a final report is kept, 5 the job's type. Returns 1 when the report is stored or was stored before, 0 when it
 * is refused.
 */
const ACCEPT_SCRIPT = `
  if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
  if redis.call('HGET', KEYS[2], 'type') ~= ARGV[5] then return 0 end
  local final = redis.call('HGET', KEYS[1], 'final')
  if final then return final == ARGV[3] and 1 or 0 end
  local status = redis.call('HGET', KEYS[2], 'status')
  if status ~= 'queued' and status ~= 'running' then return 0 end
  if redis.call('HGET', KEYS[1], 'report') ~= ARGV[2] then redis.call('HINCRBY', KEYS[1], 'number', 1) end
  redis.call('HSET', KEYS[1], 'report', ARGV[2])
  if ARGV[3] ~= '' then
    redis.call('HSET', KEYS[1], 'final', ARGV[3])
    if redis.call('TTL', KEYS[1]) < tonumber(ARGV[4]) then redis.call('EXPIRE', KEYS[1], ARGV[4]) end
  end
  return 1`;

function jobIdIn(token: string): string | null {
  const jobId = token.slice(0, Math.max(0, token.indexOf('.')));
  return isId(jobId) ? jobId : null;
}

/** Tokens are long and random, so a fast hash is enough. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
