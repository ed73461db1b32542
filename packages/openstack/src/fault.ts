import { TimeoutError } from 'got';

/**
 * - `unreached`: the request can not have been seen by the service, for there was no connection.
 * - `connection`: it may have been seen, and acted on.
 * - `timeout`: no answer in time.
 * - `nonsense`: what came was not HTTP.
 */
export type FaultKind = 'unreached' | 'connection' | 'timeout' | 'nonsense';

const CONNECT_TIMEOUT = 'ECONNECTTIMEOUT';
const unreachedCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', CONNECT_TIMEOUT]);
const connectEvents = new Set(['lookup', 'connect', 'secureConnect']);

/**
 * What a thrown error of got was. Only its code is kept: the error itself holds the request with its headers, and
 * must go no further.
 */
export function faultOf(thrown: unknown): { kind: FaultKind; code: string } {
  if (thrown instanceof TimeoutError) {
    return connectEvents.has(thrown.event)
      ? { kind: 'unreached', code: CONNECT_TIMEOUT }
      : { kind: 'timeout', code: 'ETIMEDOUT' };
  }
  const code = codeOf(thrown);
  if (isUnreachedCode(code)) return { kind: 'unreached', code };
  if (code.startsWith('HPE_')) return { kind: 'nonsense', code };
  return { kind: 'connection', code };
}

/** Whether a fault with this code means that the service can not have seen the request. */
export function isUnreachedCode(code: string): boolean {
  return unreachedCodes.has(code);
}

function codeOf(thrown: unknown): string {
  const code = (thrown as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : 'UNKNOWN';
}
