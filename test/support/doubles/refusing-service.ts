import type { IncomingMessage, ServerResponse } from 'node:http';
import { ForwardingServer } from './forwarding-server.ts';

/** Octavia's answer to a user without a role that its policy requires. */
const REFUSAL = {
  faultcode: 'Client',
  faultstring: 'Policy does not allow this request to be performed.',
  debuginfo: null,
};

/** Between the gateway and one service of the cloud: refuses requests as the policy of the service does. */
export class RefusingService extends ForwardingServer {
  /** Refuses all requests while true; passes them on otherwise. */
  isRefusing = false;
  /** The number of refused requests. */
  refused = 0;

  static start(): Promise<RefusingService> {
    return new RefusingService().listen();
  }

  protected answer(request: IncomingMessage, response: ServerResponse): void {
    if (this.isRefusing) {
      this.refused += 1;
      request.resume();
      response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify(REFUSAL));
      return;
    }
    this.pass(request, response, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
  }
}
