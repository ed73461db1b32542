import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, Server } from 'node:http';
import { Agent, get } from 'node:https';
import { text } from 'node:stream/consumers';
import { connect, type TLSSocket } from 'node:tls';
import { closeServer, createWebServer, listen } from '@gateway/platform';
import { type Certificates, makeCertificates } from '../../../support/doubles/certificates.ts';
import { eventually } from '../../../support/eventually.ts';

describe('a server with TLS', () => {
  let certificates: Certificates;
  let server: Server;
  let port: number;
  let agent: Agent;
  let logged: string[];
  let ends: Date[];

  beforeEach(async () => {
    certificates = await makeCertificates(['127.0.0.1']);
    logged = [];
    ends = [];
    const log = (message: string) => logged.push(message);
    server = createWebServer(
      {
        tls: certificates.server,
        logger: { info: log, warn: log },
        metrics: { listenerCertificateUsed: (end) => ends.push(end) },
        checkIntervalMs: 5,
      },
      (_, response) => response.end('here'),
    );
    ({ port } = await listen(server, { host: '127.0.0.1', port: 0 }));
    agent = new Agent({ keepAlive: true });
  });
  afterEach(async () => {
    agent.destroy();
    await closeServer(server, { graceMs: 1000 });
    certificates.remove();
  });

  function connectionOptions() {
    return { host: '127.0.0.1', port, ca: readFileSync(certificates.caFile) };
  }

  /** The serial number of the certificate of a new connection. */
  async function servedCertificate(): Promise<string> {
    const socket = connect(connectionOptions());
    await once(socket, 'secureConnect');
    const { serialNumber } = socket.getPeerCertificate();
    socket.destroy();
    return serialNumber;
  }

  async function ask(): Promise<{ body: string; socket: TLSSocket }> {
    const request = get({ ...connectionOptions(), agent });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const socket = response.socket as TLSSocket;
    return { body: await text(response), socket };
  }

  it('serves a renewed certificate, and keeps open connections', async () => {
    const before = await servedCertificate();
    const { socket } = await ask();

    await certificates.renewServer();
    await eventually(async () => (await servedCertificate()) !== before);

    const later = await ask();
    assert.equal(later.body, 'here');
    assert.equal(later.socket, socket);
    assert.equal(logged.at(-1), 'The certificate of the listener was renewed');
  });

  it('reports the end of its certificate, and of the renewed one', async () => {
    const endOfFile = () => new X509Certificate(readFileSync(certificates.server.certFile)).validToDate;
    const first = endOfFile();
    assert.deepEqual(ends, [first]);

    await certificates.renewServer();
    await eventually(async () => ends.length > 1);

    assert.deepEqual(ends, [first, endOfFile()]);
  });

  it('keeps its certificate while the files are broken, and says so once', async () => {
    const before = await servedCertificate();

    writeFileSync(certificates.server.keyFile, 'half a key');
    await eventually(async () => logged.length > 0);
    assert.equal(await servedCertificate(), before);
    assert.equal(ends.length, 1);
    await certificates.renewServer();
    await eventually(async () => (await servedCertificate()) !== before);

    const [first, ...others] = logged;
    assert.equal(first, 'The renewed certificate of the listener cannot be used');
    assert.ok(!others.includes(first), logged.join());
  });

  it('closes connections that have sent no request when it stops', async () => {
    const socket = connect(connectionOptions());
    await once(socket, 'secureConnect');
    const ended = once(socket, 'close');

    await closeServer(server, { graceMs: 60_000 });

    await ended;
  });
});
