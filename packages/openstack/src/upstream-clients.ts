import { type AgentOptions, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Got } from 'got';
import { limitConnecting } from './connect-timeout.ts';
import { ProxyExceptions } from './proxy-exceptions.ts';

/** The agents of got by protocol. */
type Agents = { http: HttpAgent; https: HttpsAgent };

/**
 * Shorter than the keep-alive timeout of servers and proxies (at least 5 s in common use): a write on a
 * connection that the server is closing cannot be retried.
 */
const IDLE_CONNECTION_MS = 4000;
const REUSED: AgentOptions = { keepAlive: true, timeout: IDLE_CONNECTION_MS };
const SINGLE: AgentOptions = { keepAlive: false };

type ProxyEnv = AgentOptions['proxyEnv'];

interface ConnectionOptions {
  proxy: string | null;
  noProxy: readonly string[];
  connectTimeoutMs: number;
}

/** Clients that differ in their connections. */
interface Clients {
  reused: Got;
  /** Opens a connection for each request. */
  single: Got;
}

/**
 * The clients for calls to the services, directly or through a proxy. Each has its agents already, because
 * got copies and merges the options of each call.
 */
export class UpstreamClients {
  readonly #agents: Agents[] = [];
  readonly #direct: Clients;
  readonly #proxied: Clients | null;
  readonly #exceptions: ProxyExceptions;

  constructor(base: Got, { proxy, noProxy, connectTimeoutMs }: ConnectionOptions) {
    const using = (options: AgentOptions): Got => {
      const agent = agentsOf(options, connectTimeoutMs);
      this.#agents.push(agent);
      return base.extend({ agent });
    };
    const clientsThrough = (proxyEnv?: ProxyEnv): Clients => ({
      reused: using({ ...REUSED, proxyEnv }),
      single: using({ ...SINGLE, proxyEnv }),
    });
    this.#exceptions = new ProxyExceptions(noProxy);
    this.#direct = clientsThrough();
    this.#proxied = proxy === null ? null : clientsThrough({ HTTP_PROXY: proxy, HTTPS_PROXY: proxy });
  }

  /** The client for a URL. Without `isReused`, the connection serves one request. */
  for(url: string, { isReused }: { isReused: boolean }): Got {
    const isProxied = this.#proxied !== null && !this.#exceptions.include(new URL(url).hostname);
    const { reused, single } = isProxied ? this.#proxied : this.#direct;
    return isReused ? reused : single;
  }

  /** Closes idle connections. */
  close(): void {
    for (const { http, https } of this.#agents) {
      http.destroy();
      https.destroy();
    }
  }
}

/** `https` URLs go through a tunnel of the proxy (CONNECT), so the proxy sees neither tokens nor paths. */
function agentsOf(options: AgentOptions, timeoutMs: number): Agents {
  const tunnels = options.proxyEnv !== undefined;
  return {
    http: limitConnecting(new HttpAgent(options), { timeoutMs, tunnels: false }),
    https: limitConnecting(new HttpsAgent(options), { timeoutMs, tunnels }),
  };
}
