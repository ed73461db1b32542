import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import type { Stack } from '../../scripts/stack.ts';
import { eventually } from '../support/eventually.ts';
import { simulatedCloud, startTestStack } from '../support/stacks/test-stack.ts';

/** A client that never closes its connection. */
class StubbornCaller {
  readonly #socket: Socket;
  readonly #closed: Promise<unknown>;
  /** The text received so far. */
  text = '';

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    this.#socket.on('data', (chunk) => {
      this.text += chunk;
    });
    // The connection may be closed during a write.
    this.#socket.on('error', () => {});
    this.#closed = new Promise((resolve) => this.#socket.once('close', resolve));
    // A write gets a reset once the other side has closed the whole connection, not only its half.
    this.#socket.once('end', () => {
      const timer = setInterval(() => this.#socket.write('x'), 20);
      void this.#closed.then(() => clearInterval(timer));
    });
  }

  send(line: string, headers: Record<string, string | number>, body = ''): void {
    const fields = Object.entries({ Host: 'gateway', 'Content-Type': 'application/json', ...headers });
    const head = [line, ...fields.map(([name, value]) => `${name}: ${value}`)].join('\r\n');
    this.write(`${head}\r\n\r\n${body}`);
  }

  write(text: string): void {
    this.#socket.write(text);
  }

  /** The bytes as one chunk of a chunked body. */
  sendChunk(bytes: number): void {
    this.write(`${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`);
  }

  /** Sends chunks as long as the connection is open. */
  async sendChunksToTheEnd(bytes: number): Promise<void> {
    const timer = setInterval(() => this.#socket.writable && this.sendChunk(bytes), 20);
    await this.#closed;
    clearInterval(timer);
  }

  /** The response, after the other side has closed the connection. */
  async answer(): Promise<{ head: string; body: string }> {
    await this.#closed;
    const [head = '', body = ''] = this.text.split('\r\n\r\n');
    return { head, body };
  }

  /** Resolves when this many responses have started. */
  async answers(count: number): Promise<void> {
    await eventually(async () => this.text.split('HTTP/1.1 ').length > count);
  }
}

describe('a request whose body does not end', function () {
  this.timeout(120_000);
  let stack: Stack;

  before(async () => {
    const http = { body_limit_bytes: 2048, request_timeout_seconds: 3 };
    stack = await startTestStack({ ...simulatedCloud, workers: 0, config: { http } });
  });

  after(() => stack?.stop());

  it('is 413 for its length alone, from any caller, and disconnected', async () => {
    await Promise.all(
      [
        'POST /api/auth/login HTTP/1.1',
        'POST /api/file-storage/builds/callback HTTP/1.1',
        'POST /api/instances/async HTTP/1.1',
        'GET /api/keypairs HTTP/1.1',
      ].map(async (line) => {
        const caller = new StubbornCaller(stack.url);

        caller.send(line, { 'Content-Length': 99_999_999_999, 'X-Auth-Token': 'unknown' });
        const { head, body } = await caller.answer();

        assert.match(head, /^HTTP\/1\.1 413 /, line);
        assert.match(head, /\r\nConnection: close\r\n/i, line);
        assert.equal(codeIn(body), 'body_too_large', line);
      }),
    );
  });

  it('is not asked to send a body that is too long', async () => {
    const caller = new StubbornCaller(stack.url);

    caller.send('POST /api/auth/login HTTP/1.1', { 'Content-Length': 2049, Expect: '100-continue' });
    const { head } = await caller.answer();

    assert.match(head, /^HTTP\/1\.1 413 /);
  });

  it('is 413 at the first byte too many, and disconnected', async () => {
    const caller = new StubbornCaller(stack.url);

    caller.send('POST /api/auth/login HTTP/1.1', { 'Transfer-Encoding': 'chunked' });
    caller.sendChunk(2048);
    caller.sendChunk(1);
    const { head, body } = await caller.answer();

    assert.match(head, /^HTTP\/1\.1 413 /);
    assert.equal(codeIn(body), 'body_too_large');
  });

  it('is answered if the endpoint reads no body, and disconnected', async () => {
    const lines = [
      ['POST /api/nothing HTTP/1.1', 404],
      ['POST /api/instances HTTP/1.1', 401],
      ['GET /api/site-config HTTP/1.1', 200],
    ] as const;
    await Promise.all(
      lines.map(async ([line, status]) => {
        const caller = new StubbornCaller(stack.url);

        caller.send(line, { 'Transfer-Encoding': 'chunked' });
        const [{ head }] = await Promise.all([caller.answer(), caller.sendChunksToTheEnd(100)]);

        assert.ok(head.startsWith(`HTTP/1.1 ${status} `), head);
      }),
    );
  });

  it('is answered 408 when it takes too long', async () => {
    const caller = new StubbornCaller(stack.url);

    caller.send('POST /api/auth/login HTTP/1.1', { 'Content-Length': 100 }, '{"username":');
    const { head, body } = await caller.answer();

    assert.match(head, /^HTTP\/1\.1 408 /);
    assert.equal(codeIn(body), 'request_timeout');
  });

  it('continues after 100 Continue if its body is short enough', async () => {
    const caller = new StubbornCaller(stack.url);

    caller.send('POST /api/auth/login HTTP/1.1', {
      'Content-Length': 2,
      Expect: '100-continue',
      Connection: 'close',
    });
    await caller.answers(1);
    caller.write('{}');
    await caller.answers(2);

    assert.match(caller.text, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /);
  });

  it('may be completed after the response, on a connection that stays open', async () => {
    const caller = new StubbornCaller(stack.url);

    caller.send('POST /api/nothing HTTP/1.1', { 'Content-Length': 4 });
    await caller.answers(1);
    caller.send('{}{}GET /api/site-config HTTP/1.1', { Connection: 'close' });
    await caller.answers(2);

    assert.match(caller.text, /^HTTP\/1\.1 404 [\s\S]*HTTP\/1\.1 200 /);
  });
});

function codeIn(body: string): string {
  return (JSON.parse(body) as { code: string }).code;
}
