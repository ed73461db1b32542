import { type Got, HTTPError, type OptionsInit, type Request, RequestError, type Response } from 'got';

/** A response with any status. */
export interface RawResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The parts of the body. */
  body: Buffer[];
}

export function textOf({ body }: RawResponse): string {
  return Buffer.concat(body).toString();
}

const NO_CONTENT = 204;

/** The options of a call: got would copy those in a plain object one by one. */
class CallOptions {}

/**
 * Sends one request, as often as the client's `retry` says, and reads the body of the response. It reads
 * got's stream, because got's promise makes two more copies of each body, and bodies are most of a process's
 * garbage.
 * @throws got's errors, except for statuses
 */
export function fetchResponse(client: Got, url: string, options: OptionsInit): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const read = (stream: Request) => {
      stream.on('error', (error) => {
        const response = responseOf(error);
        if (response === undefined) reject(error);
        else resolve(response);
      });
      stream.on('response', ({ statusCode: status, headers }: Response) => {
        const body: Buffer[] = [];
        stream.on('data', (part: Buffer) => body.push(part));
        stream.on('end', () => resolve({ status, headers, body }));
      });
      stream.on('retry', (_count, _error, createStream) => read(createStream()));
      // Without this, got's stream waits for the body of a write.
      if (options.body === undefined && options.method !== 'GET' && options.method !== 'HEAD') stream.end();
    };
    read(client.stream(url, Object.assign(new CallOptions(), options)));
  });
}

/** The response that got takes for an error, if it is complete. */
export function responseOf(thrown: unknown): RawResponse | undefined {
  if (!(thrown instanceof RequestError) || thrown.response === undefined) return undefined;
  const { statusCode: status, headers, body } = thrown.response;
  // Some services send a body after a 204. The parser rejects it, but the response is complete.
  if (status === NO_CONTENT) return { status, headers, body: [] };
  return thrown instanceof HTTPError && typeof body === 'string'
    ? { status, headers, body: [Buffer.from(body)] }
    : undefined;
}
