import { createHash, randomBytes } from 'node:crypto';
import { isId } from '@gateway/core';

const TOKEN_BYTES = 32;

/** A token with which a machine reports to the job. */
export function newReportToken(jobId: string): string {
  return `${jobId}.${randomBytes(TOKEN_BYTES).toString('base64url')}`;
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
