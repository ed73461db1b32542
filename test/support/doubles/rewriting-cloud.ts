import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { ForwardingServer } from './forwarding-server.ts';

/** A response of the cloud with a JSON body. */
export interface CloudResponse {
  method: string;
  /** Without the query. */
  path: string;
  query: URLSearchParams;
  body: unknown;
}

/** Between the gateway and the simulated cloud: passes requests on, and rewrites the bodies of responses. */
export class RewritingCloud extends ForwardingServer {
  /** Returns the body in place of the one of the response. */
  rewrite: (response: CloudResponse) => unknown = ({ body }) => body;

  static start(): Promise<RewritingCloud> {
    return new RewritingCloud().listen();
  }

  protected answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '' } = request;
    this.pass(request, response, async (answer) => {
      const content = await buffer(answer);
      const isJson = answer.headers['content-type']?.startsWith('application/json') && content.length > 0;
      const body = isJson ? this.#rewritten(method, url, content) : content;
      const { 'transfer-encoding': _chunked, ...rest } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, { ...rest, 'content-length': body.length }).end(body);
    });
  }

  #rewritten(method: string, url: string, content: Buffer): Buffer {
    const { pathname: path, searchParams: query } = new URL(url, this.url);
    const body: unknown = JSON.parse(content.toString());
    const rewritten = this.rewrite({ method, path, query, body });
    return rewritten === body ? content : Buffer.from(JSON.stringify(rewritten));
  }
}
