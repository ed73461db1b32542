import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, Agent as HttpAgent, type Server } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import got from 'got';
import { limitConnecting } from '../../../packages/openstack/src/connect-timeout.ts';
import { classifyNetworkError } from '../../../packages/openstack/src/errors/from-network-error.ts';

describe('the time limit for connecting', () => {
  const agents: HttpAgent[] = [];
  const servers: (Server | TcpServer)[] = [];
  afterEach(() => {
    for (const agent of agents.splice(0)) agent.destroy();
    for (const server of servers.splice(0)) server.close();
  });

  async function portOf(server: Server | TcpServer): Promise<number> {
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  function limited<A extends HttpAgent>(agent: A, timeoutMs: number): A {
    agents.push(agent);
    return limitConnecting(agent, timeoutMs);
  }

  for (const host of ['127.0.0.1', 'localhost']) {
    it(`ends the TLS handshake of a silent server at ${host}`, async () => {
      // Reads, because a server would not see the end of a connection otherwise.
      const port = await portOf(createTcpServer((socket) => socket.on('error', () => {}).resume()));
      const agent = { https: limited(new HttpsAgent(), 20) };

      const thrown = await got(`https://${host}:${port}/`, { agent, retry: { limit: 0 } }).then(
        () => assert.fail('connected'),
        (error: unknown) => error,
      );

      assert.deepEqual(classifyNetworkError(thrown), { kind: 'connect', code: 'ECONNECTTIMEOUT' });
    });

    it(`lets a connected server at ${host} take its time`, async () => {
      const timeoutMs = 200;
      const server = createServer((_request, response) => {
        setTimeout(() => response.end('late'), timeoutMs * 1.5);
      });
      const agent = { http: limited(new HttpAgent({ keepAlive: true }), timeoutMs) };

      const { body } = await got(`http://${host}:${await portOf(server)}/`, { agent });

      assert.equal(body, 'late');
    });
  }
});
