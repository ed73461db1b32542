import type { IncomingMessage } from 'node:http';
import { type Config, isInNetworks } from '@gateway/platform';

type PrefixConfig = Pick<Config, 'http' | 'publicEndpoint'>;

const HEADER = 'x-forwarded-prefix';
/** Characters that mean nothing in headers, HTML and JSON. */
const PREFIX = /^(?:\/[\w.~-]+)*$/;
const MAX_LENGTH = 200;

/** Removes `X-Forwarded-Prefix` unless a trusted proxy has sent it and it is the path of a URL. */
export function keepTrustedPrefix({ http }: PrefixConfig, { headers, socket }: IncomingMessage): void {
  const { [HEADER]: given } = headers;
  if (given === undefined) return;
  const { trustedProxies } = http;
  const isTrusted = trustedProxies.length > 0 && isInNetworks(socket.remoteAddress ?? '', trustedProxies);
  const prefix = withoutEndSlash(String(given).trim());
  if (isTrusted && isPrefix(prefix)) headers[HEADER] = prefix;
  else delete headers[HEADER];
}

/**
 * What precedes the gateway's paths in the addresses that the caller uses, such as `/gw`; '' for nothing. A
 * trusted proxy says it, else the URL of the configuration.
 */
export function pathPrefix(
  { publicEndpoint: { url } }: Pick<PrefixConfig, 'publicEndpoint'>,
  { headers }: Pick<IncomingMessage, 'headers'>,
): string {
  const given = headers[HEADER];
  if (typeof given === 'string') return given;
  const path = url === null ? '' : withoutEndSlash(new URL(url).pathname);
  return isPrefix(path) ? path : '';
}

function isPrefix(text: string): boolean {
  const segments = text.split('/');
  return (
    text.length <= MAX_LENGTH && PREFIX.test(text) && !segments.includes('.') && !segments.includes('..')
  );
}

function withoutEndSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
