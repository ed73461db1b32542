import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttps, type Server as HttpsServer } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Json } from '../../common/json.ts';
import { type Caller, failure, type KubernetesReply } from './request.ts';
import { respond } from './respond.ts';
import type { KubernetesCluster } from './state.ts';
import { endUpgrades, type UpgradeBehaviour } from './upgrades.ts';

/** How an API server behaves. Tests change it. */
export interface ApiBehaviour {
  /** `down` refuses connections; `hanging` accepts them without a response, even to the TLS handshake. */
  api: 'up' | 'down' | 'hanging';
  /** The response of `/healthz`, `/readyz` and `/livez`. */
  isHealthy: boolean;
  /** Requests that are answered 503, once each, such as `DELETE /api/v1/nodes/lab-agent-1`. */
  failures: string[];
}

const MAX_BODY_BYTES = 2 ** 20;
const MAX_REQUESTS = 1_000;

/** The API server of one cluster. It serves TLS on an address of its own. */
export class ApiServer {
  readonly cluster: KubernetesCluster;
  readonly behaviour: ApiBehaviour = { api: 'up', isHealthy: true, failures: [] };
  /** The latest requests, such as `GET /api/v1/nodes`. */
  readonly requests: string[] = [];
  readonly #https: HttpsServer;
  readonly #sockets = new Set<Socket>();
  readonly #onChange: () => void;
  readonly #upgrades: () => UpgradeBehaviour;
  #listener: Server | null = null;

  constructor(cluster: KubernetesCluster, onChange: () => void, upgrades: () => UpgradeBehaviour) {
    const { server, clientAuthority } = cluster;
    this.cluster = cluster;
    this.#onChange = onChange;
    this.#upgrades = upgrades;
    this.#https = createHttps(
      {
        cert: server.certificate,
        key: server.key,
        ca: clientAuthority.certificate,
        requestCert: true,
        rejectUnauthorized: false,
      },
      (request, response) => void this.#handle(request, response),
    );
    this.#https.on('tlsClientError', (_error, socket) => socket.destroy());
  }

  /**
   * @throws when the address and port are in use
   */
  listen(): Promise<void> {
    const listener = createServer((socket) => this.#accept(socket));
    this.#listener = listener;
    return new Promise((resolve, reject) => {
      listener.once('error', (error) => {
        this.#listener = null;
        reject(error);
      });
      listener.listen(this.cluster.port, this.cluster.address, () => {
        const address = listener.address();
        if (typeof address === 'object' && address !== null) this.cluster.port = address.port;
        resolve();
      });
    });
  }

  /** Breaks all connections. */
  close(): void {
    this.#listener?.close();
    this.#listener = null;
    for (const socket of this.#sockets) socket.destroy();
  }

  /**
   * @throws when the address is in use
   */
  async behave(change: Partial<ApiBehaviour>): Promise<void> {
    const wasDown = this.behaviour.api === 'down';
    const wasHanging = this.behaviour.api === 'hanging';
    Object.assign(this.behaviour, change);
    if (this.behaviour.api === 'down') this.close();
    else if (wasDown) await this.listen();
    else if (wasHanging && this.behaviour.api === 'up') for (const socket of this.#sockets) socket.destroy();
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    if (this.behaviour.api === 'up') this.#https.emit('connection', socket);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '/' } = request;
    const { pathname, searchParams } = new URL(url, 'https://api');
    const text = await textOf(request).catch(() => null);
    if (text === null) return;
    this.requests.push(`${method} ${pathname}`);
    if (this.requests.length > MAX_REQUESTS) this.requests.shift();
    if (this.behaviour.api !== 'up') return;
    const caller = this.#callerOf(request);
    const body = caller === null ? undefined : jsonOf(text);
    if (caller === null) return send(response, failure(401, 'Unauthorized', 'Unauthorized'));
    const failing = this.behaviour.failures.indexOf(`${method} ${pathname}`);
    if (failing >= 0) {
      this.behaviour.failures.splice(failing, 1);
      return send(response, failure(503, 'ServiceUnavailable', 'the server is currently unable'));
    }
    const contentType = (request.headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';
    const call = { method, path: pathname, query: searchParams, contentType, body, caller };
    endUpgrades(this.cluster, this.#upgrades(), Date.now());
    send(response, respond(this.cluster, this.behaviour, call));
    if (method !== 'GET') this.#onChange();
  }

  #callerOf(request: IncomingMessage): Caller | null {
    const socket = request.socket as TLSSocket;
    const { tokens } = this.cluster;
    const { subject } = socket.authorized ? socket.getPeerCertificate() : {};
    if (subject !== undefined) return { name: String(subject.CN), isAdmin: subject.O === 'system:masters' };
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    if (isSame(token, tokens.admin)) return { name: 'system:admin', isAdmin: true };
    return isSame(token, tokens.withoutRights) ? { name: 'nobody', isAdmin: false } : null;
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, { status, body }: KubernetesReply): void {
  const isText = typeof body === 'string';
  response.writeHead(status, {
    'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json',
    'cache-control': 'no-cache, private',
  });
  response.end(isText ? body : JSON.stringify(body));
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
