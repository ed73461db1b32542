import { type AgentOptions, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { ProxyExceptions } from './proxy-exceptions.ts';

/** The agents of got by protocol; false opens a connection for one request. */
type Agents = { http: HttpAgent | false; https: HttpsAgent | false };

/**
 * Shorter than the keep-alive timeout of servers and proxies (at least 5 s in common use): a write on a
 * connection that the server is closing cannot be retried.
 */
const IDLE_CONNECTION_MS = 4000;
const REUSED: AgentOptions = { keepAlive: true, timeout: IDLE_CONNECTION_MS };

/** The connections to the services, directly or through a proxy. */
export class UpstreamAgents {
  readonly #direct = { http: new HttpAgent(REUSED), https: new HttpsAgent(REUSED) };
  readonly #proxied: { reused: Agents; single: Agents } | null;
  readonly #exceptions: ProxyExceptions;

  constructor({ proxy, noProxy }: { proxy: string | null; noProxy: readonly string[] }) {
    this.#exceptions = new ProxyExceptions(noProxy);
    this.#proxied =
      proxy === null
        ? null
        : { reused: proxiedAgents(proxy, REUSED), single: proxiedAgents(proxy, { keepAlive: false }) };
  }

  /** The agents for a URL. Without `isReused`, the connection serves one request. */
  for(url: string, { isReused }: { isReused: boolean }): Agents {
    if (this.#proxied !== null && !this.#exceptions.include(new URL(url).hostname)) {
      return isReused ? this.#proxied.reused : this.#proxied.single;
    }
    return isReused ? this.#direct : { http: false, https: false };
  }

  /** Closes idle connections. */
  close(): void {
    for (const { http, https } of [this.#direct, this.#proxied?.reused ?? this.#direct]) {
      if (http) http.destroy();
      if (https) https.destroy();
    }
  }
}

/** `https` URLs go through a tunnel (CONNECT), so the proxy sees neither tokens nor paths. */
function proxiedAgents(proxy: string, options: AgentOptions): Agents {
  return {
    http: new HttpAgent({ ...options, proxyEnv: { HTTP_PROXY: proxy } }),
    https: new HttpsAgent({ ...options, proxyEnv: { HTTPS_PROXY: proxy } }),
  };
}
