import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { listenLocally, portOf, stopListening } from './local-server.ts';

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What a receiver answers. `hang` answers nothing. */
type Answer = { status: number; headers?: Record<string, string> } | 'hang';

/** Receives webhooks at the loopback address. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  /** For each message; 204 by default. */
  answer: (message: Received) => Answer | Promise<Answer> = () => ({ status: 204 });
  readonly #server: Server;

  constructor(tls?: { cert: string; key: string }) {
    const listener: RequestListener = async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const message = { path: request.url ?? '', headers: request.headers, body };
      this.received.push(message);
      const answer = await this.answer(message);
      if (answer !== 'hang') response.writeHead(answer.status, answer.headers).end();
    };
    this.#server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  }

  async start(port = 0): Promise<this> {
    await listenLocally(this.#server, port);
    return this;
  }

  get port(): number {
    return portOf(this.#server);
  }

  get ids(): string[] {
    return this.received.map(({ headers }) => String(headers['webhook-id']));
  }

  close(): Promise<void> {
    return stopListening(this.#server);
  }
}
