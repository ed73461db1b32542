import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenLocally, portOf, stopListening } from './local-server.ts';

/** The gateway's response to a report. */
export interface ReportAnswer {
  status: number;
  text: string;
}

/** A report of a guest that waits at the gate. */
export interface HeldReport {
  /** The body as the guest has sent it. */
  body: Record<string, unknown>;
  /**
   * Sends the report to the gateway, with changes to its body, at each call. Null without a response. The
   * guest gets no response.
   */
  deliver(changes?: object): Promise<ReportAnswer | null>;
  /** Responds to the guest; null breaks the connection, so that the guest retries later. */
  answer(answer: ReportAnswer | null): void;
}

/**
 * Stands between guests and the api processes, like a site's load balancer: its URL is the public URL of the
 * gateway. Forwards reports, unless a test holds them. Stages of control nodes always pass.
 */
export class ReportGate {
  readonly url: string;
  /** The statuses that guests got, null for a broken connection. */
  readonly statuses: (number | null)[] = [];
  readonly #server: Server;
  #target: () => string = () => '';
  #holds: ((report: HeldReport) => void)[] = [];

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${portOf(server)}`;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#receive(request, response).catch(() => response.destroy());
    });
  }

  static async start(): Promise<ReportGate> {
    const server = createServer();
    await listenLocally(server);
    return new ReportGate(server);
  }

  /** Sets where reports go: the URL of a running api. */
  passTo(target: () => string): void {
    this.#target = target;
  }

  /** Holds the next report. The promise resolves when it has come. */
  hold(): Promise<HeldReport> {
    return new Promise((resolve) => this.#holds.push(resolve));
  }

  /** Removes all holds. Held reports stay held until they get a response. */
  clear(): void {
    this.#holds = [];
    this.statuses.length = 0;
  }

  stop(): Promise<void> {
    return stopListening(this.#server);
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    const sent = await text(request);
    if (path.endsWith('/progress')) {
      const answer = await this.#send(path, sent);
      if (answer === null) response.destroy();
      else response.writeHead(answer.status).end(answer.text);
      return;
    }
    const take = this.#holds.shift();
    if (take === undefined) {
      this.#answer(response, await this.#send(path, sent));
      return;
    }
    const body = JSON.parse(sent) as Record<string, unknown>;
    take({
      body,
      deliver: (changes = {}) => this.#send(path, JSON.stringify({ ...body, ...changes })),
      answer: (answer) => this.#answer(response, answer),
    });
  }

  #answer(response: ServerResponse, answer: ReportAnswer | null): void {
    this.statuses.push(answer?.status ?? null);
    if (answer === null) response.destroy();
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text);
  }

  async #send(path: string, body: string): Promise<ReportAnswer | null> {
    try {
      const response = await fetch(this.#target() + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      return { status: response.status, text: await response.text() };
    } catch {
      return null;
    }
  }
}
