import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@gateway/config';
import { createAuthority } from '../../../apps/cloudsim/src/guest/kubernetes/authority.ts';
import { withFile } from './environment.ts';

function load(tree: object) {
  return withFile(JSON.stringify(tree), loadConfig);
}

describe('the public URL', () => {
  it('may have a path', () => {
    const url = 'https://example.org:8443/gateway/';
    assert.equal(load({ public_endpoint: { url } }).publicEndpoint.url, url);
  });

  for (const url of [
    'ftp://example.org',
    'example.org',
    'https://example.org/?a=b',
    'https://example.org/#a',
    'https://user:secret@example.org/',
  ]) {
    it(`is rejected as ${url}`, () => {
      assert.throws(() => load({ public_endpoint: { url } }), /"public_endpoint\.url" must be/);
    });
  }
});

describe('the CA file for the public URL', () => {
  const key = '-----BEGIN EC PRIVATE KEY-----\nMIIB\n-----END EC PRIVATE KEY-----\n';
  let certificate: string;
  let folder: string;

  before(async () => {
    certificate = `${(await createAuthority('test')).certificate}\n`;
    folder = mkdtempSync(join(tmpdir(), 'gateway-authority-'));
  });

  after(() => rmSync(folder, { recursive: true }));

  function loadWith(text: string) {
    const path = join(folder, 'ca.pem');
    writeFileSync(path, text);
    return load({ public_endpoint: { ca_file: path } });
  }

  it('contains certificates', () => {
    assert.equal(loadWith(certificate + certificate).publicEndpoint.caFile, join(folder, 'ca.pem'));
  });

  it('is rejected if it is missing or contains no certificate', () => {
    assert.throws(() => load({ public_endpoint: { ca_file: join(folder, 'none') } }), /that cannot be read/);
    assert.throws(() => loadWith('MIIB'), /without a PEM certificate/);
  });

  it('is rejected with a certificate that is cut off', () => {
    assert.throws(
      () => loadWith(certificate.replace(/\n[^\n]+\n(?=-----END)/, '\n')),
      /with a broken certificate/,
    );
  });

  it('is rejected with a private key, which every builder would receive', () => {
    assert.throws(() => loadWith(certificate + key), /with a private key/);
  });
});

describe('the GPU driver packages', () => {
  it('are names, with an optional version', () => {
    const gpu_driver_packages = ['nvidia-driver-570', 'libstdc++=1:2.0~rc1-1.x86_64'];
    assert.deepEqual(
      load({ instances: { gpu_driver_packages } }).instances.gpuDriverPackages,
      gpu_driver_packages,
    );
  });

  for (const name of ['nvidia-', '-y', 'a b', 'a;b', './a.deb', '']) {
    it(`are rejected with ${JSON.stringify(name)}`, () => {
      assert.throws(() => load({ instances: { gpu_driver_packages: [name] } }), /gpu_driver_packages\[0\]/);
    });
  }
});
