import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { apiSuite } from '../../support/api/suite.ts';
import { type Certificates, makeCertificates } from '../../support/doubles/certificates.ts';

describe('an api that listens with TLS', () => {
  const suite = apiSuite();
  let certificates: Certificates;

  before(async () => {
    certificates = await makeCertificates(['127.0.0.1']);
  });
  after(() => certificates.remove());

  async function start() {
    const { certFile, keyFile } = certificates.server;
    return suite.start({ settings: { listen: { cert_file: certFile, key_file: keyFile } } });
  }

  it('answers requests', async () => {
    const { port } = await start();

    const ca = readFileSync(certificates.caFile);
    const request = get({ host: '127.0.0.1', port, path: '/api/health', ca });
    const [response] = (await once(request, 'response')) as [IncomingMessage];

    assert.equal(response.statusCode, 200);
    assert.match(await text(response), /"status":"ok"/);
  });

  it('closes connections without TLS', async () => {
    const { port, log } = await start();

    const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n'));

    assert.equal(await text(socket), '');
    assert.doesNotMatch(log.text(), /"level":"error"/);
  });
});
