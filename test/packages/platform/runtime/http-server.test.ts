import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '@gateway/platform';

const LOCAL = { host: '127.0.0.1', port: 0 };

/** Sends a request, and resolves with the text of the response. */
async function ask(agent: Agent, port: number): Promise<string> {
  const [response] = (await once(get({ host: '127.0.0.1', port, agent }), 'response')) as [IncomingMessage];
  return text(response);
}

/** A server that responds when the test releases it. */
async function controlledServer(): Promise<{
  server: Server;
  port: number;
  received: Promise<ServerResponse>;
}> {
  const server = createServer();
  const received = once(server, 'request').then(([, response]) => response as ServerResponse);
  const { port } = await listen(server, LOCAL);
  return { server, port, received };
}

/** A connection that sends nothing. */
async function connectTo(server: Server, port: number): Promise<Socket> {
  const accepted = once(server, 'connection');
  const connection = connect(port, LOCAL.host);
  await Promise.all([once(connection, 'connect'), accepted]);
  return connection;
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

  it('closes connections that have sent no request', async () => {
    const server = createServer();
    const { port } = await listen(server, LOCAL);
    const connection = await connectTo(server, port);
    const ended = once(connection, 'close');

    await closeServer(server, { graceMs: 60_000 });

    await ended;
  });

  it('waits for the request of a connection that was just opened', async () => {
    const { server, port, received } = await controlledServer();
    const connection = await connectTo(server, port);

    const closed = closeServer(server, { graceMs: 60_000 });
    connection.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n');
    (await received).end('served');

    assert.match(await text(connection), /served/);
    await closed;
  });

  it('waits for a request in progress, then closes its connection', async () => {
    const { server, port, received } = await controlledServer();
    const body = ask(new Agent({ keepAlive: true }), port);
    const response = await received;

    const closed = closeServer(server, { graceMs: 60_000 });
    response.end('late');

    assert.equal(await body, 'late');
    await closed;
  });

  it('closes connections of requests that take too long', async () => {
    const { server, port, received } = await controlledServer();
    const body = ask(new Agent(), port);
    const cut = assert.rejects(body, /hang up|ECONNRESET/);
    await received;

    await closeServer(server, { graceMs: 10 });

    await cut;
  });

  it('does nothing if the server is not listening', async () => {
    const server = createServer();
    let closings = 0;
    server.on('close', () => closings++);

    await closeServer(server, { graceMs: 1000 });

    const { port } = await listen(server, LOCAL);
    assert.ok(port > 0);
    assert.equal(closings, 0);
    await closeServer(server, { graceMs: 1000 });
    assert.equal(closings, 1);
  });
});
