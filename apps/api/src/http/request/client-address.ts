import { isIPv4 } from 'node:net';
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
