import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { createServer as createTcpServer, type Server } from 'node:net';
import got from 'got';
import { classifyNetworkError } from '../../../packages/openstack/src/errors/from-network-error.ts';
import { UpstreamClients } from '../../../packages/openstack/src/upstream-clients.ts';
import { type Certificates, makeCertificates } from '../../support/doubles/certificates.ts';
import { ConnectProxy } from '../../support/doubles/connect-proxy.ts';
import { listenLocally, stopListening } from '../../support/doubles/local-server.ts';

/** Not looked up: the proxy of the test takes every host for this machine. */
const HOST = 'compute.test';

interface Sent {
  connectTimeoutMs: number;
  isReused: boolean;
  proxyPort: number | undefined;
}

describe('the time limit for connecting', () => {
  const servers: Server[] = [];
  let proxy: ConnectProxy;
  let clients: UpstreamClients | undefined;
  let certificates: Certificates;

  before(async () => {
    certificates = await makeCertificates([HOST, '127.0.0.1']);
  });
  after(() => {
    certificates?.remove();
  });
  beforeEach(async () => {
    proxy = await ConnectProxy.start();
  });
  afterEach(async () => {
    clients?.close();
    await proxy.stop();
    for (const server of servers.splice(0)) await stopListening(server);
  });

  function portOf(server: Server): Promise<number> {
    servers.push(server);
    return listenLocally(server);
  }

  /** A server that takes connections and reads, but never sends anything. */
  function silentPort(): Promise<number> {
    return portOf(createTcpServer((socket) => socket.on('error', () => {}).resume()));
  }

  function send(
    url: string,
    { connectTimeoutMs = 20, isReused = true, proxyPort }: Partial<Sent> = {},
  ): Promise<string> {
    const proxyUrl = proxyPort === undefined ? null : `http://127.0.0.1:${proxyPort}`;
    const certificateAuthority = readFileSync(certificates.caFile);
    const base = got.extend({ retry: { limit: 0 }, https: { certificateAuthority } });
    clients = new UpstreamClients(base, { proxy: proxyUrl, noProxy: [], connectTimeoutMs });
    return clients.for(url, { isReused })(url).text();
  }

  async function assertTimedOut(sent: Promise<unknown>): Promise<void> {
    const thrown = await sent.then(
      () => assert.fail('connected'),
      (error: unknown) => error,
    );
    assert.deepEqual(classifyNetworkError(thrown), { kind: 'connect', code: 'ECONNECTTIMEOUT' });
  }

  for (const host of ['127.0.0.1', 'localhost']) {
    it(`ends the TLS handshake of a silent service at ${host}`, async () => {
      await assertTimedOut(send(`https://${host}:${await silentPort()}/`));
    });
  }

  for (const isReused of [true, false]) {
    const connection = isReused ? 'a reused connection' : 'a connection for one request';

    it(`ends the wait for the tunnel of a silent proxy, for ${connection}`, async () => {
      await assertTimedOut(send(`https://${HOST}/`, { proxyPort: await silentPort(), isReused }));
    });

    it(`ends the TLS handshake through a proxy, for ${connection}`, async () => {
      const url = `https://${HOST}:${await silentPort()}/`;

      await assertTimedOut(send(url, { proxyPort: proxy.port, isReused }));

      assert.equal(proxy.targets.length, 1);
    });
  }

  for (const isProxied of [false, true]) {
    it(`lets a connected service take its time ${isProxied ? 'through a proxy' : 'directly'}`, async () => {
      const connectTimeoutMs = 500;
      const [cert, key] = [certificates.server.certFile, certificates.server.keyFile].map((file) =>
        readFileSync(file),
      );
      const service = createServer({ cert, key }, (_request, response) => {
        setTimeout(() => response.end('late'), connectTimeoutMs * 1.5);
      });
      const host = isProxied ? HOST : '127.0.0.1';
      const url = `https://${host}:${await portOf(service)}/`;

      const text = await send(url, { connectTimeoutMs, proxyPort: isProxied ? proxy.port : undefined });

      assert.equal(text, 'late');
    });
  }
});
