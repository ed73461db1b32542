import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { Login } from '../try-it.ts';

export type Print = (line: string) => void;

/** A message of a progress stream. */
export interface Progress {
  step: string;
  progress: number;
  message: string;
  error: string | null;
}

interface CallOptions {
  method?: string;
  body?: unknown;
}

/** A client of the gateway for demonstrations. Its methods throw when a call fails, with the gateway's answer. */
export class DemoClient {
  readonly projectName: string;
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #print: Print;

  private constructor(url: string, headers: Record<string, string>, projectName: string, print: Print) {
    this.#url = url;
    this.#headers = headers;
    this.#print = print;
    this.projectName = projectName;
  }

  static async logIn(url: string, login: Login, print: Print): Promise<DemoClient> {
    print(`Logging in as ${login.username}`);
    const anonymous = new DemoClient(url, {}, '', print);
    const session = await anonymous.call<{ token: string; project_id: string; project_name: string }>(
      '/api/auth/login',
      { method: 'POST', body: login },
    );
    const headers = { 'x-auth-token': session.token, 'x-project-id': session.project_id };
    return new DemoClient(url, headers, session.project_name, print);
  }

  /** The body of the response; undefined without one. */
  async call<T>(path: string, options: CallOptions = {}): Promise<T> {
    const text = await (await this.#request(path, options)).text();
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /** Starts a job, prints each message of its stream, and returns the last one, which has this step. */
  async follow<Message extends Progress>(path: string, body: unknown, completed: string): Promise<Message> {
    const response = await this.#request(path, { method: 'POST', body });
    if (!response.body) throw new Error('the gateway answered without an event stream');
    const events = response.body
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
      .pipeThrough(new EventSourceParserStream());
    for await (const event of events) {
      const message: Message = JSON.parse(event.data);
      this.#print(progressLine(message));
      if (message.step === completed) return message;
      if (message.progress < 0) throw new Error(`the creation failed: ${message.error}`);
    }
    throw new Error('the progress stream ended before the creation did');
  }

  /** Prints a request and the fields of its response. */
  async show(path: string, options: CallOptions = {}): Promise<void> {
    const record = await this.call<Record<string, unknown>>(path, options);
    this.#print(`\n${options.method ?? 'GET'} ${path}`);
    for (const line of describe(record)) this.#print(line);
  }

  async #request(path: string, { method, body }: CallOptions): Promise<Response> {
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: { ...this.#headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!response.ok) {
      throw new Error(`${method ?? 'GET'} ${path} answered ${response.status}: ${await response.text()}`);
    }
    return response;
  }
}

const barWidth = 30;

export function progressLine({ step, progress, message, error }: Progress): string {
  const filled = Math.round((Math.max(progress, 0) / 100) * barWidth);
  const bar = '#'.repeat(filled).padEnd(barWidth, '.');
  return `[${bar}] ${String(progress).padStart(3)} %  ${step.padEnd(22)} ${error ?? message}`;
}

function describe(record: Record<string, unknown>): string[] {
  const width = Math.max(...Object.keys(record).map((name) => name.length));
  return Object.entries(record).map(([name, value]) => `  ${name.padEnd(width)}  ${spell(value)}`);
}

function spell(value: unknown): string {
  if (value === null || value === '') return '-';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
