import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '@gateway/runtime';

const LOCAL = { host: '127.0.0.1', port: 0 };

/** Asks over a connection that is kept; resolves with the answer's text. */
async function ask(agent: Agent, port: number): Promise<string> {
  const [response] = (await once(get({ host: '127.0.0.1', port, agent }), 'response')) as [IncomingMessage];
  return text(response);
}

/** A server that answers when told to. */
async function holdingServer(): Promise<{ server: Server; port: number; held: Promise<ServerResponse> }> {
  const server = createServer();
  const held = once(server, 'request').then(([, response]) => response as ServerResponse);
  const { port } = await listen(server, LOCAL);
  return { server, port, held };
}

describe('listen', () => {
  it('returns the bound port', async () => {
    const server = createServer((_, response) => response.end('here'));

    const { host, port } = await listen(server, LOCAL);

    assert.equal(host, '127.0.0.1');
    assert.equal(await ask(new Agent(), port), 'here');
    await closeServer(server, { graceMs: 1000 });
  });

  it('rejects if the port is in use', async () => {
    const first = createServer();
    const { port } = await listen(first, LOCAL);

    await assert.rejects(listen(createServer(), { ...LOCAL, port }), { code: 'EADDRINUSE' });
    await closeServer(first, { graceMs: 1000 });
  });
});

describe('closeServer', () => {
  it('closes idle connections at once', async () => {
    const agent = new Agent({ keepAlive: true });
    const server = createServer((_, response) => response.end('done'));
    const { port } = await listen(server, LOCAL);
    await ask(agent, port);

    await closeServer(server, { graceMs: 60_000 });

    await assert.rejects(ask(agent, port), /ECONNREFUSED|ECONNRESET|hang up/);
  });

  it('waits for a request in progress, then closes its connection', async () => {
    const { server, port, held } = await holdingServer();
    const answer = ask(new Agent({ keepAlive: true }), port);
    const response = await held;

    const closed = closeServer(server, { graceMs: 60_000 });
    response.end('late');

    assert.equal(await answer, 'late');
    await closed;
  });

  it('closes connections of requests that take too long', async () => {
    const { server, port, held } = await holdingServer();
    const answer = ask(new Agent(), port);
    const cut = assert.rejects(answer, /hang up|ECONNRESET/);
    await held;

    await closeServer(server, { graceMs: 10 });

    await cut;
  });

  it('does nothing if the server is not listening', async () => {
    await closeServer(createServer(), { graceMs: 1000 });
  });
});
