import { type Credentials, GatewayClient } from '@gateway/client';
import type { Context } from '../context.ts';
import { useProxies } from '../proxies.ts';

/**
 * A client whose requests Ctrl-C aborts, and which lists of sessions name as this program.
 *
 * @throws CliError if the address of a proxy to it is invalid
 */
export function createClient(
  { signal, catalog, env }: Context,
  url: string,
  credentials: Credentials | null = null,
): GatewayClient {
  useProxies(env, url);
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
