import { trimEndChars } from '@gateway/core';
import { describeExceededQuota, type ExceededQuota, parseExceededQuota } from '../errors/exceeded-quota.ts';
import { parseServiceMessage } from '../errors/service-message.ts';
import type { ServerRecord } from './server-records.ts';

/** The reason for a failed server build. */
export type ServerFault =
  /** `tried`: the scheduler found hosts, but the build failed on each of them. */
  | { kind: 'no_host'; tried: boolean }
  | { kind: 'quota'; quota: ExceededQuota; sentence: string }
  /** Safe to show, without a full stop; null if the service gave no reason. */
  | { kind: 'other'; reason: string | null };

/**
 * Parses the fault of a server in the state `ERROR`. Faults have no specific error codes (nearly all are
 * 500), so the message decides.
 */
export function parseServerFault({
  fault,
}: {
  fault: Pick<NonNullable<ServerRecord['fault']>, 'message'> | null;
}): ServerFault {
  const message = fault?.message ?? '';
  if (/no valid host|insufficient compute resources/i.test(message)) return { kind: 'no_host', tried: false };
  // Both messages mean that the service tried several hosts.
  if (/exceeded max(?:imum number of retries|\.? scheduling attempts)/i.test(message)) {
    return { kind: 'no_host', tried: true };
  }
  // The service checks quotas again during scheduling, and creates ports during the build.
  const quota = parseExceededQuota(409, { kind: null, message });
  if (quota !== null) return { kind: 'quota', quota, sentence: describeExceededQuota(quota) };
  return { kind: 'other', reason: extractReason(message) };
}

/** The reason without the prefix that the service adds. */
function extractReason(message: string): string | null {
  const reason = message.replace(/^Build of instance \S+ (?:aborted|was re-scheduled): /i, '');
  return trimEndChars(parseServiceMessage(reason).message ?? '', '. ') || null;
}
