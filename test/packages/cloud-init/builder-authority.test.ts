import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GuestSandbox } from './guest-sandbox.ts';
import { builder } from './plan.ts';
import { Receiver } from './receiver.ts';

describe('a builder whose gateway has a certificate of a private authority', function () {
  this.timeout(120_000);
  const token = 'c2VjcmV0LXRva2Vu';
  let cert: string;
  let receiver: Receiver;
  let guest: GuestSandbox;

  before(async () => {
    const tls = selfSigned();
    cert = tls.cert;
    receiver = new Receiver(tls);
    await receiver.open();
  });
  afterEach(() => guest.remove());
  after(() => receiver.close());

  function boot(caCertificate: string | null) {
    guest = new GuestSandbox(
      builder({ timeLimitSeconds: 60, report: { url: receiver.url, token, caCertificate } }),
    );
    return guest.boot();
  }

  it('sends nothing if it does not know the authority', async () => {
    await boot(null);

    assert.deepEqual(receiver.bodies, []);
    const log = guest.read('/var/log/gateway-first-boot.log') ?? '';
    assert.match(log, /the final report was answered with 000/);
  });

  it('reports if its first-boot data contains the authority', async () => {
    await boot(cert);

    assert.deepEqual(
      receiver.finals.map(({ success }) => success),
      [true],
    );
  });
});

function selfSigned(): { cert: string; key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-certificate-'));
  try {
    const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const { status, stderr } = spawnSync('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-subj', '/CN=gateway', '-addext', 'subjectAltName=IP:127.0.0.1'],
      ...['-keyout', keyFile, '-out', certFile],
    ]);
    assert.equal(status, 0, `openssl is needed: ${stderr}`);
    return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
