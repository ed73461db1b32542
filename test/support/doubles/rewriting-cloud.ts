import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A response of the cloud with a JSON body. */
export interface CloudResponse {
  method: string;
  /** Without the query. */
  path: string;
  query: URLSearchParams;
  body: unknown;
}

/** Between the gateway and the simulated cloud: passes requests on, and rewrites the bodies of responses. */
export class RewritingCloud {
  /** Returns the body in place of the one of the response. */
  rewrite: (response: CloudResponse) => unknown = ({ body }) => body;
  #target = '';
  readonly #server = createServer((request, response) => this.#answer(request, response));

  static async start(): Promise<RewritingCloud> {
    const cloud = new RewritingCloud();
    cloud.#server.listen(0, '127.0.0.1');
    await once(cloud.#server, 'listening');
    return cloud;
  }

  /** The public URL of the simulated cloud. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** @param target the URL at which the simulated cloud listens */
  passTo(target: string): void {
    this.#target = target;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', headers, url = '' } = request;
    const sent = forward(this.#target + url, { method, headers }, async (answer) => {
      const content = await buffer(answer);
      const isJson = answer.headers['content-type']?.startsWith('application/json') && content.length > 0;
      const body = isJson ? this.#rewritten(method, url, content) : content;
      const { 'transfer-encoding': _chunked, ...rest } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, { ...rest, 'content-length': body.length }).end(body);
    });
    sent.on('error', () => response.destroy());
    request.pipe(sent);
  }

  #rewritten(method: string, url: string, content: Buffer): Buffer {
    const { pathname: path, searchParams: query } = new URL(url, this.#target);
    const body: unknown = JSON.parse(content.toString());
    const rewritten = this.rewrite({ method, path, query, body });
    return rewritten === body ? content : Buffer.from(JSON.stringify(rewritten));
  }
}
