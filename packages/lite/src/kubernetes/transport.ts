import { type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from 'node:http';
import { Agent, request } from 'node:https';
import { checkServerIdentity, createSecureContext } from 'node:tls';
import type { ClusterConnection } from './connection.ts';
import { KubernetesError } from './kubernetes-error.ts';
import { NeverContacted, REFUSED } from './never-contacted.ts';

export interface TransportRequest {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: string;
}

interface TransportResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Ten nodes take 0.2 MB, 110 pods 1 MB. */
const MAX_RESPONSE_BYTES = 4 * 2 ** 20;
/** How long an idle connection waits for the next request. */
const IDLE_MS = 5_000;

/**
 * HTTPS to one API server, which may be hostile. It connects to no address in `neverContacted` and trusts
 * only the given authorities. Each request ends within the time limit, whatever the server does, and no
 * response is larger than `MAX_RESPONSE_BYTES`. Redirects are not followed. An agent of its own bypasses
 * proxies in the environment. See decision 65.
 */
export class Transport {
  readonly #connection: ClusterConnection;
  readonly #neverContacted: NeverContacted;
  #agent: Agent | null = null;

  constructor(connection: ClusterConnection) {
    this.#connection = connection;
    this.#neverContacted = new NeverContacted(connection.neverContacted ?? []);
  }

  close(): void {
    this.#agent?.destroy();
  }

  /**
   * @throws {KubernetesError} without a 2xx response, and the reason of the connection's signal
   */
  async send(sent: TransportRequest): Promise<TransportResponse> {
    const response = await this.#exchange(sent);
    if (response.status >= 200 && response.status < 300) return response;
    const { status } = response;
    throw new KubernetesError({
      kind: status === 401 || status === 403 ? 'refused' : 'status',
      isConnected: true,
      upstreamStatus: status,
      reason: `${status} ${reasonIn(response.text) ?? STATUS_CODES[status] ?? ''}`,
    });
  }

  #exchange({ method, url, headers, body }: TransportRequest): Promise<TransportResponse> {
    const { credentials, requestTimeoutMs, signal } = this.#connection;
    const token = 'token' in credentials ? { authorization: `Bearer ${credentials.token}` } : {};
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      // A connection to an address makes no lookup.
      if (this.#neverContacted.includes(new URL(url).hostname)) throw new Error(REFUSED);
      let isConnected = false;
      const sent = request(url, {
        method,
        headers: { ...headers, ...token },
        agent: this.#openAgent(),
      });
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const fail = (error: unknown) => {
        end();
        sent.destroy();
        reject(error);
      };
      const failWith = (kind: 'unreachable' | 'invalid', reason: string, cause?: unknown) =>
        fail(new KubernetesError({ kind, isConnected, reason, cause }));
      const abort = () => fail(signal?.reason);
      const timer = setTimeout(
        () => failWith('unreachable', `no response within ${requestTimeoutMs} ms`),
        requestTimeoutMs,
      );
      signal?.addEventListener('abort', abort, { once: true });
      sent.on('socket', (socket) => {
        if (sent.reusedSocket) isConnected = true;
        else
          socket.once('secureConnect', () => {
            isConnected = true;
          });
      });
      sent.on('error', (error) => failWith('unreachable', codeOf(error), error));
      sent.on('response', (response) => {
        readBody(response).then(
          (text) => {
            end();
            if (text === null) failWith('invalid', `more than ${MAX_RESPONSE_BYTES} bytes`);
            else resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
          },
          (error: unknown) => failWith('invalid', codeOf(error), error),
        );
      });
      sent.end(body);
    }).catch((error: unknown) => {
      if (error instanceof KubernetesError || signal?.aborted) throw error;
      // The certificate, key or URL is invalid.
      throw new KubernetesError({
        kind: 'unreachable',
        isConnected: false,
        reason: codeOf(error),
        cause: error,
      });
    }) as Promise<TransportResponse>;
  }

  #openAgent(): Agent {
    const { credentials, tlsServerName } = this.#connection;
    this.#agent ??= new Agent({
      keepAlive: true,
      timeout: IDLE_MS,
      maxSockets: 4,
      lookup: this.#neverContacted.lookup,
      // Parses certificates and key once for all connections.
      secureContext: createSecureContext({
        ca: credentials.ca,
        ...('clientKey' in credentials && {
          cert: credentials.clientCertificate,
          key: credentials.clientKey,
        }),
      }),
      ...(tlsServerName !== undefined && {
        // As `servername`, an address would be sent to the server, which the protocol does not allow.
        checkServerIdentity: (_host, certificate) => checkServerIdentity(tlsServerName, certificate),
      }),
    });
    return this.#agent;
  }
}

/** Null for a body that is too large. */
async function readBody(response: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The message of a `Status` object. */
function reasonIn(text: string): string | null {
  try {
    const { reason, message } = JSON.parse(text) as { reason?: unknown; message?: unknown };
    return [reason, message].filter((part) => typeof part === 'string').join(': ') || null;
  } catch {
    return null;
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
