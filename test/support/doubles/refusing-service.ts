import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Octavia's answer to a user without a role that its policy requires. */
const REFUSAL = {
  faultcode: 'Client',
  faultstring: 'Policy does not allow this request to be performed.',
  debuginfo: null,
};

/** Between the gateway and one service of the cloud: refuses requests as the policy of the service does. */
export class RefusingService {
  /** Refuses all requests while true; passes them on otherwise. */
  isRefusing = false;
  /** The number of refused requests. */
  refused = 0;
  #target = '';
  readonly #server = createServer((request, response) => this.#answer(request, response));

  static async start(): Promise<RefusingService> {
    const service = new RefusingService();
    service.#server.listen(0, '127.0.0.1');
    await once(service.#server, 'listening');
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** @param target the endpoint of the service in the catalog */
  passTo(target: string): void {
    this.#target = target;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (this.isRefusing) {
      this.refused += 1;
      request.resume();
      response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify(REFUSAL));
      return;
    }
    const { method, headers, url } = request;
    const sent = forward(this.#target + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    sent.on('error', () => response.destroy());
    request.pipe(sent);
  }
}
