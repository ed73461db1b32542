import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import type { CadfEvent } from '@gateway/activity';
import { listenLocally, stopListening } from './local-server.ts';

/** Receives an audit stream over HTTP. */
export class AuditReceiver {
  /** All deliveries, also of the same event. */
  readonly events: CadfEvent[] = [];
  /** The header `authorization` of the last request. */
  authorization: string | undefined;
  /** Takes the events and answers with an error, so that the gateway does not know. */
  losesAnswers = false;
  #server: Server | null = null;
  #port = 0;

  static async start(): Promise<AuditReceiver> {
    const receiver = new AuditReceiver();
    await receiver.come();
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/events`;
  }

  /** The id of the request of each event. */
  get requestIds(): Set<string> {
    return new Set(this.events.map(({ initiator }) => initiator.request_id));
  }

  /** Listens, at the same port after an absence. */
  async come(): Promise<void> {
    const server = createServer(async (request, response) => {
      this.authorization = request.headers.authorization;
      this.events.push(...((await json(request)) as CadfEvent[]));
      response.statusCode = this.losesAnswers ? 503 : 204;
      response.end();
    });
    this.#port = await listenLocally(server, this.#port);
    this.#server = server;
  }

  async leave(): Promise<void> {
    if (this.#server !== null) await stopListening(this.#server);
  }
}
