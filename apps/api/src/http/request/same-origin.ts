import type { IncomingMessage } from 'node:http';
import { headerText } from './credentials.ts';

/** The origin of an address; null for none. */
export function originOf(url: string | null): string | null {
  return url === null ? null : new URL(url).origin;
}

/**
 * Whether a page of this gateway has sent the request. Current browsers say so in `Sec-Fetch-Site`, and over
 * plain HTTP in `Origin`. Null for a request with neither.
 */
export function isSameOrigin(
  { headers }: Pick<IncomingMessage, 'headers'>,
  publicOrigin: string | null,
): boolean | null {
  const site = headerText(headers['sec-fetch-site']);
  if (site !== undefined) return site === 'same-origin';
  const origin = headerText(headers.origin);
  if (origin === undefined) return null;
  return origin === publicOrigin || hostOf(origin) === headers.host;
}

export function isRead(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD';
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
