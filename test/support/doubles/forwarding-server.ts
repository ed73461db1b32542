import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenLocally, portOf, stopListening } from './local-server.ts';

/** A server between the gateway and another server. Subclasses say what becomes of a request. */
export abstract class ForwardingServer {
  #target = '';
  readonly #server = createServer((request, response) => this.answer(request, response));

  protected abstract answer(request: IncomingMessage, response: ServerResponse): void;

  /** Listens at a free port of this machine. */
  protected async listen(): Promise<this> {
    await listenLocally(this.#server);
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  /** @param target the URL of the other server */
  passTo(target: string): void {
    this.#target = target;
  }

  stop(): Promise<void> {
    return stopListening(this.#server);
  }

  /** Passes the request on. `respond` gets the answer of the other server. */
  protected pass(
    request: IncomingMessage,
    response: ServerResponse,
    respond: (answer: IncomingMessage) => void,
  ): void {
    const { method, headers, url } = request;
    const sent = forward(this.#target + url, { method, headers }, respond);
    sent.on('error', () => response.destroy());
    request.pipe(sent);
  }
}
