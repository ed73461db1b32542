import type { Got, OptionsInit, Response } from 'got';

/** A response whatever its status. */
export interface TextResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/**
 * Sends one request and reads the body of the response. Reads got's stream, because got's promise makes two more copies of each
 * body, and most garbage of a process are bodies.
 * @throws got's errors, except for statuses
 */
export function fetchText(client: Got, url: string, options: OptionsInit): Promise<TextResponse> {
  return new Promise((resolve, reject) => {
    const parts: string[] = [];
    let response: Response | undefined;
    const stream = client.stream(url, options);
    stream.setEncoding('utf8');
    stream.on('response', (received: Response) => {
      response = received;
    });
    stream.on('data', (part: string) => parts.push(part));
    stream.on('error', reject);
    stream.on('end', () => {
      if (response === undefined) reject(new Error('A response ended before it began.'));
      else resolve({ status: response.statusCode, headers: response.headers, text: parts.join('') });
    });
    // Without a body, the stream of a write waits for one.
    if (options.body === undefined && options.method !== 'GET' && options.method !== 'HEAD') stream.end();
  });
}
