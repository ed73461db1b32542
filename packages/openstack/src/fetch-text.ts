import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Got, OptionsInit, Response } from 'got';

/** A response with any status. */
export interface TextResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

const NO_CONTENT = 204;

/** The options of a call: got would copy those in a plain object one by one. */
class CallOptions {}

/**
 * Sends one request and reads the body of the response. It reads got's stream, because got's promise makes
 * two more copies of each body, and bodies are most of a process's garbage.
 * @throws got's errors, except for statuses
 */
export function fetchText(client: Got, url: string, options: OptionsInit): Promise<TextResponse> {
  return new Promise((resolve, reject) => {
    const stream = client.stream(url, Object.assign(new CallOptions(), options));
    let finished: TextResponse | undefined;
    stream.setEncoding('utf8');
    // Some services send a body after a 204. The parser rejects it before got has the
    // response, which is complete.
    stream.on('request', (request: ClientRequest) => {
      request.once('response', ({ statusCode: status, headers }: IncomingMessage) => {
        if (status === NO_CONTENT) finished = { status, headers, text: '' };
      });
    });
    stream.on('error', (error) => (finished === undefined ? reject(error) : resolve(finished)));
    stream.on('response', ({ statusCode: status, headers }: Response) => {
      const parts: string[] = [];
      stream.on('data', (part: string) => parts.push(part));
      stream.on('end', () => resolve({ status, headers, text: parts.join('') }));
    });
    // Without this, got's stream waits for the body of a write.
    if (options.body === undefined && options.method !== 'GET' && options.method !== 'HEAD') stream.end();
  });
}
