import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenLocally, portOf, stopListening } from '../../support/doubles/local-server.ts';

interface Answer {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** The events of a stream, each as its data. */
  events?: readonly object[];
  /** Never answers. */
  isSilent?: boolean;
}

export interface SeenRequest {
  line: string;
  body: unknown;
  headers: IncomingMessage['headers'];
}

/** Answers requests as declared, and records them. */
export class FakeGateway {
  readonly seen: SeenRequest[] = [];
  #answers: Record<string, Answer | ((request: SeenRequest) => Answer)> = {};
  readonly #server = createServer((request, response) => this.#answer(request, response));

  async start(): Promise<void> {
    await listenLocally(this.#server);
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  stop(): Promise<void> {
    return stopListening(this.#server);
  }

  /** Forgets all requests. @param answers by method and path, such as `GET /api/images` */
  answers(answers: Record<string, Answer | ((request: SeenRequest) => Answer)>): void {
    this.seen.length = 0;
    this.#answers = answers;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += chunk;
    const line = `${request.method} ${request.url}`;
    const seen = { line, body: text === '' ? undefined : JSON.parse(text), headers: request.headers };
    this.seen.push(seen);
    const declared = this.#answers[line] ?? this.#answers[line.replace(/\?.*/, '')] ?? unknownPath;
    const {
      status = 200,
      body,
      headers = {},
      events,
      isSilent = false,
    } = typeof declared === 'function' ? declared(seen) : declared;
    if (isSilent) return;
    if (events !== undefined) {
      response.writeHead(status, { 'content-type': 'text/event-stream', ...headers });
      response.end(
        events.map((event, index) => `id: ${index + 1}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
      );
      return;
    }
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    const isText = headers['content-type']?.startsWith('text/') ?? false;
    response.end(isText || body === undefined ? String(body ?? '') : JSON.stringify(body));
  }
}

/** An error response in the form of the gateway. */
export function refusal(status: number, code: string, detail: string, more: object = {}): Answer {
  return {
    status,
    body: { code, detail, errors: [], request_id: 'req-test', ...more },
    headers: { 'x-request-id': 'req-test' },
  };
}

const unknownPath = refusal(404, 'not_found', 'There is no such path.');
