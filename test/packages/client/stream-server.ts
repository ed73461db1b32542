import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenLocally, stopListening } from '../../support/doubles/local-server.ts';

export interface Seen {
  line: string;
  headers: IncomingMessage['headers'];
  body: string;
}

type Answer = (response: ServerResponse) => void;

/** A server that sends its responses in order, and repeats the last one. */
export class StreamServer {
  readonly seen: Seen[] = [];
  readonly #server = createServer((request, response) => this.#answer(request, response));
  #answers: Answer[] = [];

  async start(...answers: Answer[]): Promise<string> {
    this.#answers = answers;
    return `http://127.0.0.1:${await listenLocally(this.#server)}`;
  }

  stop(): Promise<void> {
    return stopListening(this.#server);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += chunk;
    this.seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
    const answer = this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0];
    answer?.(response);
  }
}

/** An event stream of the job `job-1`, which ends after the text, breaks after it, or stays open. */
export function stream(text: string, end: 'ends' | 'breaks' | 'stays open' = 'ends'): Answer {
  return (response) => {
    const names = { 'x-job-id': 'job-1', 'x-resource-id': 'resource-1' };
    response.writeHead(200, { 'content-type': 'text/event-stream', ...names });
    response.write(`retry: 10\n\n${text}`);
    if (end === 'ends') response.end();
    if (end === 'breaks') setTimeout(() => response.destroy(), 20);
  };
}

export function event(id: number, step = 'SERVER_CREATING', progress = 50): string {
  const message = { step, progress, message: 'It is going on.', error: null, job_id: 'job-1' };
  return `id: ${id}\ndata: ${JSON.stringify(message)}\n\n`;
}

export function json(status: number, body: object, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** The connection breaks before there is a response. */
export function hangUp(response: ServerResponse): void {
  response.destroy();
}
