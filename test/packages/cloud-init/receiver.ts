import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { listenLocally, portOf, stopListening } from '../../support/doubles/local-server.ts';

/** A report of a builder or a verifier. */
interface Report {
  token: string;
  stage: string;
  log_tail: string;
  success?: boolean;
  error?: string;
  packages?: unknown[];
  manifest?: {
    library: string;
    version: string;
    built_at: string;
    files: number;
    checksum: string;
    packages: string[];
  };
}

const ACCEPT = () => 200;
const NOT_FOUND = () => null;

/** Call within `describe`. The receiver listens during each test, and has no reports when a test begins. */
export function testReceiver(): Receiver {
  const receiver = new Receiver();
  beforeEach(() => {
    receiver.reset();
    return receiver.open();
  });
  afterEach(() => receiver.close());
  return receiver;
}

/** Acts as the gateway: records the reports and responds with the given statuses. */
export class Receiver {
  readonly bodies: string[] = [];
  /** The status of the response to a report. */
  answer: (report: Report) => number = ACCEPT;
  /** The response to a GET request; null is a 404. */
  download: (path: string) => string | Buffer | null = NOT_FOUND;
  /** How far the clock in the responses to HEAD requests is ahead. */
  clockAheadSeconds: () => number = () => 0;
  /** The ranges of the GET requests; undefined for the whole content. */
  readonly ranges: (string | undefined)[] = [];
  readonly #server: Server;
  readonly #protocol: 'http' | 'https';

  /** Uses TLS if a certificate and its key are given. */
  constructor(tls?: { cert: string; key: string }) {
    const listener: RequestListener = async (request, response) => {
      if (request.method === 'HEAD') {
        const now = Date.now() + this.clockAheadSeconds() * 1000;
        response.writeHead(404, { date: new Date(now).toUTCString() }).end();
        return;
      }
      if (request.method === 'GET') {
        this.ranges.push(request.headers.range);
        sendContent(response, this.download(request.url ?? ''), request.headers.range);
        return;
      }
      const body = await text(request);
      this.bodies.push(body);
      response.writeHead(this.#statusFor(body)).end();
    };
    this.#protocol = tls === undefined ? 'http' : 'https';
    this.#server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  }

  #statusFor(body: string): number {
    try {
      return this.answer(JSON.parse(body));
    } catch {
      return 403;
    }
  }

  get origin(): string {
    return `${this.#protocol}://127.0.0.1:${portOf(this.#server)}`;
  }

  get url(): string {
    return `${this.origin}/report?[a]={b}`;
  }

  get reports(): Report[] {
    return this.bodies.map((body) => JSON.parse(body));
  }

  get finals(): Report[] {
    return this.reports.filter(({ success }) => success !== undefined);
  }

  /** Removes what it has recorded, and answers as at first. */
  reset(): void {
    this.bodies.length = 0;
    this.ranges.length = 0;
    this.answer = ACCEPT;
    this.download = NOT_FOUND;
    this.clockAheadSeconds = () => 0;
  }

  async open(): Promise<void> {
    await listenLocally(this.#server);
  }

  close(): Promise<void> {
    return stopListening(this.#server);
  }
}

/** Sends the content from the first byte of the range. */
function sendContent(response: ServerResponse, content: string | Buffer | null, range?: string): void {
  if (content === null) {
    response.writeHead(404).end();
    return;
  }
  const bytes = Buffer.from(content);
  const start = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
  if (start === 0) response.writeHead(200).end(bytes);
  else if (start >= bytes.length) response.writeHead(416).end();
  else {
    response.writeHead(206, { 'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` });
    response.end(bytes.subarray(start));
  }
}
