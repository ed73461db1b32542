import { createHash, randomBytes } from 'node:crypto';
import { isId } from '@gateway/core';
import { ownerText, parseOwner } from './keys.ts';
import type { FirstBootOwner } from './state.ts';

/** The token of a report: the instance, and a secret. */
export interface FirstBootToken {
  owner: FirstBootOwner;
  secret: string;
}

const SECRET_BYTES = 32;
/** The guest's script derives the next secret with the same label. */
const NEXT_SECRET_LABEL = 'gateway first boot: next secret';

export function newToken(owner: FirstBootOwner): FirstBootToken {
  return { owner, secret: randomBytes(SECRET_BYTES).toString('hex') };
}

export function tokenText({ owner, secret }: FirstBootToken): string {
  return `${ownerText(owner)}.${secret}`;
}

/** Null for a text that is not a token. */
export function parseToken(text: string): FirstBootToken | null {
  const at = text.lastIndexOf('.');
  const owner = parseOwner(text.slice(0, Math.max(0, at)));
  return owner !== null && isId(owner.jobId) ? { owner, secret: text.slice(at + 1) } : null;
}

/** The secret that replaces this one when the final report of a boot is accepted. */
export function nextSecret(secret: string): string {
  return hashOf(`${secret} ${NEXT_SECRET_LABEL}`);
}

/** Secrets are long and random, so a fast hash is enough. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
