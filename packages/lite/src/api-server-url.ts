import { isIPv6 } from 'node:net';

/** The URL of the API server of the control node with this address. */
export function apiServerUrl(ip: string): string {
  return `https://${isIPv6(ip) ? `[${ip}]` : ip}:6443`;
}
