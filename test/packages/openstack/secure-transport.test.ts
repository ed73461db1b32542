import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer, type Server } from 'node:https';
import type { Server as NetServer } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { systemClock } from '@gateway/core';
import type { UpstreamRequest } from '../../../packages/openstack/src/call.ts';
import { createTransport, type Transport } from '../../../packages/openstack/src/transport.ts';
import { type Certificates, makeCertificates } from '../../support/doubles/certificates.ts';
import { ConnectProxy } from '../../support/doubles/connect-proxy.ts';
import { listenLocally, portOf, stopListening } from '../../support/doubles/local-server.ts';
import { call, identityConfig } from './cloud.ts';

type Options = Parameters<typeof createTransport>[0];

/** Not sent over the network: the proxy of the test takes every host for this machine. */
const HOST = 'compute.test';

describe('the connections to services', () => {
  let certificates: Certificates;
  let service: Server;
  let plainService: NetServer;
  let proxy: ConnectProxy;
  let transport: Transport | undefined;
  let clients: string[];

  before(async () => {
    certificates = await makeCertificates([HOST, '127.0.0.1']);
    const { caFile, server } = certificates;
    const answer: RequestListener = (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate?.() ?? {};
      clients.push(String(subject?.CN ?? 'nobody'));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"answer":42}');
    };
    const [ca, cert, key] = [caFile, server.certFile, server.keyFile].map((path) => readFileSync(path));
    service = createHttpsServer({ ca, cert, key, requestCert: true, rejectUnauthorized: true }, answer);
    plainService = createHttpServer(answer);
    for (const one of [service, plainService]) await listenLocally(one);
  });
  after(async () => {
    for (const one of [service, plainService]) if (one) await stopListening(one);
    certificates?.remove();
  });
  beforeEach(async () => {
    clients = [];
    proxy = await ConnectProxy.start();
  });
  afterEach(async () => {
    transport?.close();
    await proxy.stop();
  });

  const proxyUrl = () => `http://gateway:proxy-secret@127.0.0.1:${proxy.port}`;

  function send(
    url: string,
    further: { identity?: object; proxy?: string; noProxy?: string[] } = {},
    request: Partial<UpstreamRequest> = {},
  ) {
    const { caFile, client } = certificates;
    const limits = { maxConcurrentCalls: 4, services: {}, proxy: null, noProxy: [], ...further };
    transport = createTransport({
      tls: { ...identityConfig, caFile, ...client, ...further.identity },
      limits: limits as Options['limits'],
      requestTimeoutMs: 5_000,
      maxWaitMs: 1_000,
      userAgent: 'test',
      forwardsClientAddress: false,
      tracing: null,
      clock: systemClock,
      sleep: async () => {},
    });
    return transport.send(
      {
        service: 'compute',
        operation: 'test',
        method: 'GET',
        url,
        headers: { 'x-auth-token': 'token-secret' },
        idempotent: false,
        isDelete: false,
        expectJson: true,
        ...request,
      },
      call,
    );
  }

  it('have the certificate of the gateway', async () => {
    const { body } = await send(`https://127.0.0.1:${portOf(service)}/`);

    assert.deepEqual(body, { answer: 42 });
    assert.deepEqual(clients, ['client']);
  });

  it('fail without the certificate, or for an unknown authority', async () => {
    const url = `https://127.0.0.1:${portOf(service)}/`;
    for (const identity of [{ certFile: null, keyFile: null }, { caFile: null }]) {
      await assert.rejects(send(url, { identity }), { status: 503, code: 'upstream_unavailable' });
    }

    assert.deepEqual(clients, []);
  });

  it('go through the proxy in a tunnel, also for deletions', async () => {
    const url = `https://${HOST}:${portOf(service)}/`;
    await send(url, { proxy: proxyUrl() });
    await send(url, { proxy: proxyUrl() }, { method: 'DELETE', isDelete: true });

    const target = `${HOST}:${portOf(service)}`;
    assert.deepEqual(proxy.targets, [target, target]);
    assert.deepEqual(clients, ['client', 'client']);
    const login = Buffer.from('gateway:proxy-secret').toString('base64');
    assert.equal(proxy.authorization, `Basic ${login}`);
  });

  it('go through the proxy without a tunnel for http', async () => {
    const url = `http://${HOST}:${portOf(plainService)}/servers`;
    const { body } = await send(url, { proxy: proxyUrl() });

    assert.deepEqual(body, { answer: 42 });
    assert.deepEqual(proxy.targets, [url]);
  });

  it('go past the proxy to loopback addresses and exceptions', async () => {
    await send(`http://127.0.0.1:${portOf(plainService)}/`, { proxy: proxyUrl() });
    const excepted = send(`http://${HOST}:1/`, { proxy: proxyUrl(), noProxy: ['test'] });
    await assert.rejects(excepted, { code: 'upstream_unavailable' });

    assert.deepEqual(proxy.targets, []);
  });

  it('are unavailable, without a secret in the error, if the proxy refuses', async () => {
    proxy.isRefusing = true;
    const sent = send(`https://${HOST}:${portOf(service)}/`, { proxy: proxyUrl() });

    const error = await sent.catch((thrown: unknown) => thrown);

    const { code, details } = error as { code: string; details: { networkErrorCode: string } };
    assert.equal(code, 'upstream_unavailable');
    assert.ok(!JSON.stringify({ error, details }).includes('secret'));
    assert.ok(proxy.targets.length > 1, 'a call that did not arrive is repeated');
  });
});
