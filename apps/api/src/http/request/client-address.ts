import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4, isIPv6 } from 'node:net';
import type { Request } from 'express';

const MAPPED = '::ffff:';

/**
 * The address of the client, or what a trusted proxy says it is; '' once the connection is closed. A socket
 * for both families maps IPv4 addresses to IPv6, and logs and services should not see two forms of one.
 */
export function clientAddress({ ip = '' }: Pick<Request, 'ip'>): string {
  const rest = ip.toLowerCase().startsWith(MAPPED) ? ip.slice(MAPPED.length) : '';
  return isIPv4(rest) ? rest : ip;
}

/**
 * Reduces `X-Forwarded-For` to plain addresses, before anything reads the address of the caller from it.
 * Proxies also write ports, brackets, zones, quotes and the form of `Forwarded`. What stands before an entry
 * without an address, such as `unknown`, could be forged, so the last known address counts.
 */
export function reduceForwardedFor({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const value = headers['x-forwarded-for'];
  if (value === undefined) return;
  const entries = [value].flat().join(',').split(',');
  const filled = entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
  const known = filled.slice(-MAX_ADDRESSES).map(plainAddress);
  const addresses = known.slice(known.lastIndexOf(null) + 1);
  if (addresses.length === 0) delete headers['x-forwarded-for'];
  else headers['x-forwarded-for'] = addresses.join(', ');
}

/** No chain of proxies is longer. */
const MAX_ADDRESSES = 32;

/** Null for an entry without an address. */
function plainAddress(entry: string): string | null {
  const text = (/^(?:for=)?([^;\s]*)/i.exec(entry)?.[1] ?? '').replaceAll('"', '');
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? text;
  return [bare, bare.replace(/:\d{1,5}$/, '')].map(withoutZone).find((one) => isIP(one) !== 0) ?? null;
}

/** Proxies name the interface of a link-local address. */
function withoutZone(address: string): string {
  const [bare = ''] = address.split('%', 1);
  return isIPv6(bare) ? bare : address;
}
