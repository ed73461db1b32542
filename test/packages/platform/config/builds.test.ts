import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@gateway/platform';
import { createAuthority } from '../../../../apps/cloudsim/src/guest/kubernetes/authority.ts';
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
      const toolkit = { container_toolkit_packages: [name] };
      assert.throws(() => load({ lite: { gpu: toolkit } }), /container_toolkit_packages\[0\]/);
    });
  }
});

describe('the archives of interpreters', () => {
  const url = 'https://mirror.example.org/python.tar.gz';
  const sha256 = 'ab'.repeat(32);
  const own = { version: '3.11', architecture: 'x86_64', url, sha256 };

  function archivesOf(interpreters: object[]) {
    return load({ builds: { interpreters } }).builds.interpreters;
  }

  it('are pinned releases of five versions for two architectures by default', () => {
    const archives = archivesOf([]);

    assert.equal(new Set(archives.map(({ version, architecture }) => version + architecture)).size, 10);
    for (const archive of archives) {
      const { version, architecture } = archive;
      assert.match(
        archive.url,
        new RegExp(`/cpython-${version}\\.\\d+%2B\\d{8}-${architecture}-[a-z_-]+\\.tar\\.gz$`),
      );
      assert.match(archive.sha256, /^[0-9a-f]{64}$/);
    }
  });

  it('replace the default ones of the same version and architecture', () => {
    const archives = archivesOf([own, { ...own, version: '3.9', sha256: sha256.toUpperCase() }]);

    assert.deepEqual(
      archives.filter(({ url }) => url === own.url),
      [own, { ...own, version: '3.9' }],
    );
    assert.equal(archives.length, 11);
  });

  const refused = {
    'an unknown architecture': { architecture: 'sparc' },
    'a short checksum': { sha256: 'abc' },
    'a URL of another protocol': { url: 'ftp://mirror.example.org/python.tar.gz' },
    'a URL with a blank': { url: 'https://mirror.example.org/a b' },
    'a version that is none': { version: 'three' },
  };
  for (const [what, entry] of Object.entries(refused)) {
    it(`are rejected with ${what}`, () => {
      assert.throws(() => archivesOf([{ ...own, ...entry }]), /builds\.interpreters\[0\]/);
    });
  }

  it('are rejected with two for the same version and architecture', () => {
    assert.throws(() => archivesOf([own, own]), /"builds\.interpreters" has 3\.11 for x86_64 more than once/);
  });
});
