import { createServer } from 'node:http';
import { listenLocally, portOf, stopListening } from './local-server.ts';

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentSpanId: string;
  name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  attributes: Record<string, string | number | boolean>;
  hasFailed: boolean;
  /** `gateway-api` or `gateway-worker`. */
  service: string;
  /** Differs between processes. */
  process: string;
  /** The gateway of the process, and its region. */
  origin: { gateway: string; region: string };
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number | string; boolValue?: boolean; doubleValue?: number };
}

interface ExportRequest {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: (Pick<ReceivedSpan, 'traceId' | 'spanId' | 'name' | 'kind'> & {
        parentSpanId?: string;
        attributes: Attribute[];
        status?: { code?: number };
      })[];
    }[];
  }[];
}

const ERROR = 2;

/** Receives traces over OTLP/HTTP, as a collector does. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** The header `authorization` of the last export. */
  authorization: string | undefined;
  /** Everything that was received, to search for secrets. */
  text = '';
  /** Refuses exports while true. */
  isRefusing = false;
  /** Sends no responses while true. */
  isSilent = false;
  /** The number of exports whose senders wait for a response. */
  waiting = 0;
  readonly #server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      this.authorization = request.headers.authorization;
      this.waiting += 1;
      response.on('close', () => {
        this.waiting -= 1;
      });
      if (this.isSilent) return;
      const isTraces = request.method === 'POST' && request.url === '/v1/traces';
      if (isTraces && !this.isRefusing) this.#receive(body);
      response.writeHead(isTraces && !this.isRefusing ? 200 : 400, { 'Content-Type': 'application/json' });
      response.end('{}');
    });
  });

  static async start(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver();
    await listenLocally(receiver.#server);
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  ofTrace(traceId: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  stop(): Promise<void> {
    return stopListening(this.#server);
  }

  #receive(body: string): void {
    this.text += body;
    for (const { resource, scopeSpans } of (JSON.parse(body) as ExportRequest).resourceSpans) {
      const source = valuesOf(resource.attributes);
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        this.spans.push({
          ...span,
          parentSpanId: span.parentSpanId ?? '',
          attributes: valuesOf(span.attributes),
          hasFailed: span.status?.code === ERROR,
          service: String(source['service.name']),
          process: String(source['service.instance.id']),
          origin: { gateway: String(source.gateway), region: String(source.region) },
        });
      }
    }
  }
}

function valuesOf(attributes: Attribute[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? Number(value.intValue ?? value.doubleValue),
    ]),
  );
}
