import { trimEndOf } from '@gateway/core';
import type { QuotaRefusal } from '../errors.ts';
import { quotaRefusalOf, quotaSentence } from '../quota.ts';
import { readMessage } from '../upstream-message.ts';
import type { ServerRecord } from './servers.ts';

/** Why a server could not be built. */
export type ServerFault =
  /** `tried`: hosts had seemed to have room, and each of them failed to build it. */
  | { kind: 'no_host'; tried: boolean }
  | { kind: 'quota'; quota: QuotaRefusal; sentence: string }
  /** Fit to be shown, without a full stop; null when the service gave no reason. */
  | { kind: 'other'; reason: string | null };

/**
 * Reads the fault of a server in the state `ERROR`. The service has no codes of its own for these: it tells 500 for
 * nearly all of them, so that they are told apart by its words.
 */
export function serverFaultOf({ fault }: Pick<ServerRecord, 'fault'>): ServerFault {
  const message = fault?.message ?? '';
  if (/no valid host|insufficient compute resources/i.test(message)) return { kind: 'no_host', tried: false };
  // Two wordings of one thing: the service gives up after it has tried several hosts.
  if (/exceeded max(?:imum number of retries|\.? scheduling attempts)/i.test(message)) {
    return { kind: 'no_host', tried: true };
  }
  // The quotas are looked at again when the server is placed, and ports are made while it is built.
  const quota = quotaRefusalOf(409, { kind: null, message });
  if (quota !== null) return { kind: 'quota', quota, sentence: quotaSentence(quota) };
  return { kind: 'other', reason: reasonIn(message) };
}

/** Without the frame that the service puts around the reason. */
function reasonIn(message: string): string | null {
  const reason = message.replace(/^Build of instance \S+ (?:aborted|was re-scheduled): /i, '');
  return trimEndOf(readMessage(reason).message ?? '', '. ') || null;
}
