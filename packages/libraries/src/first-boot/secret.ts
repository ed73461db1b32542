import { isId, newReportSecret } from '@gateway/core';
import { ownerText, parseOwner } from './keys.ts';
import type { FirstBootOwner } from './state.ts';

/** The token of a report: the instance, and a secret. */
export interface FirstBootToken {
  owner: FirstBootOwner;
  secret: string;
}

export function newToken(owner: FirstBootOwner): FirstBootToken {
  return { owner, secret: newReportSecret() };
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
