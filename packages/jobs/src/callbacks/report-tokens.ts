import { createHash, randomBytes } from 'node:crypto';
import { isId } from '@gateway/core';
import { type Redis, replicatedWrite } from '@gateway/store';

interface ReportTokensOptions {
  redis: Redis;
  /** The key of the hash that has the tokens of a job. */
  keyOf(jobId: string): string;
}

const TOKEN_BYTES = 32;

/**
 * Tokens with which the machines of a job report. A token contains the id of its job. Only a hash of it is
 * stored.
 */
export class ReportTokens {
  readonly #options: ReportTokensOptions;

  constructor(options: ReportTokensOptions) {
    this.#options = options;
  }

  /**
   * Issues a token for a machine that the job is about to create. Earlier tokens stay valid: a superseded run
   * must not invalidate the token of the machine that the current run created.
   */
  async issueToken(jobId: string, lifetimeSeconds: number): Promise<string> {
    const { keyOf, redis } = this.#options;
    const token = `${jobId}.${randomBytes(TOKEN_BYTES).toString('base64url')}`;
    const key = keyOf(jobId);
    await replicatedWrite(redis, key, (pipeline) =>
      pipeline.hset(key, tokenField(token), '1').expire(key, lifetimeSeconds),
    );
    return token;
  }

  /**
   * The id of the job that has issued the token, whether or not it still accepts reports; null for an unknown
   * token.
   */
  async issuerOf(token: string): Promise<string | null> {
    const { keyOf, redis } = this.#options;
    const jobId = jobIdIn(token);
    if (jobId === null) return null;
    return (await redis.hexists(keyOf(jobId), tokenField(token))) === 1 ? jobId : null;
  }
}

/** The field of a token in the hash of its job. */
export function tokenField(token: string): string {
  return `token:${hashOf(token)}`;
}

/** Null for a text that is no such token. */
export function jobIdIn(token: string): string | null {
  const jobId = token.slice(0, Math.max(0, token.indexOf('.')));
  return isId(jobId) ? jobId : null;
}

/** Tokens are long and random, so a fast hash is enough. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
