import { type Credentials, GatewayClient } from '@gateway/client';
import type { Context } from '../context.ts';

/** A client whose requests Ctrl-C aborts, and which lists of sessions name as this program. */
export function createClient(
  { signal, catalog }: Pick<Context, 'signal' | 'catalog'>,
  url: string,
  credentials: Credentials | null = null,
): GatewayClient {
  const agent = `gateway-cli/${catalog.version}`;
  return new GatewayClient({
    url,
    credentials,
    fetch: (address, init = {}) => {
      const headers = new Headers(init.headers);
      headers.set('user-agent', agent);
      return fetch(address, { ...init, headers, signal: AbortSignal.any([signal, init.signal ?? signal]) });
    },
  });
}
