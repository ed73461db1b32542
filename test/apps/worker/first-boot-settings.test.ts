import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '../../../apps/cloudsim/src/guest/kubernetes/authority.ts';
import { firstBootSettings } from '../../../apps/worker/src/sagas/resources/first-boot-settings.ts';

const firstBoot = {
  pipIndexUrl: null,
  pipExtraIndexUrls: [],
  proxy: 'http://proxy.example.org:3128',
  noProxy: ['.example.org'],
  caFile: null,
  aptMirror: null,
  aptSecurityMirror: null,
  aptSources: [],
  ntpServers: [],
};

describe('firstBootSettings', () => {
  const gateways: [url: string | null, hosts: string[]][] = [
    ['https://gateway.example.org:8443/path', ['gateway.example.org']],
    ['http://[2001:db8::9]:8000', ['2001:db8::9']],
    [null, []],
  ];
  for (const [url, hosts] of gateways) {
    it(`lets machines reach the gateway at ${url} without the proxy`, () => {
      const { noProxy } = firstBootSettings({ firstBoot, publicEndpoint: { url, caFile: null } });

      assert.deepEqual(noProxy, [
        ...['localhost', '127.0.0.1', '::1', '169.254.169.254'],
        ...hosts,
        '.example.org',
      ]);
    });
  }

  it('passes each certificate of the file, and nothing else', async () => {
    const { certificate } = await createAuthority('test');
    const folder = mkdtempSync(join(tmpdir(), 'first-boot-'));
    const caFile = join(folder, 'ca.pem');
    writeFileSync(caFile, `# Größe\n${certificate}\n# another\n${certificate}`);

    const { certificates } = firstBootSettings({
      firstBoot: { ...firstBoot, caFile },
      publicEndpoint: { url: null, caFile: null },
    });

    rmSync(folder, { recursive: true });
    assert.deepEqual(certificates, Array(2).fill(`${certificate.trim()}\n`));
  });

  it('passes the keys of repositories as they are now', () => {
    const folder = mkdtempSync(join(tmpdir(), 'first-boot-'));
    const keyFile = join(folder, 'key.asc');
    writeFileSync(keyFile, '\n-----BEGIN\r\n\nmQIN\n-----END\n\n');
    const source = { name: 'a', url: 'https://a.example.org', suite: '/', components: [] };

    const { aptSources } = firstBootSettings({
      firstBoot: { ...firstBoot, aptSources: [{ ...source, keyFile }] },
      publicEndpoint: { url: null, caFile: null },
    });

    rmSync(folder, { recursive: true });
    assert.deepEqual(aptSources, [{ ...source, key: '-----BEGIN\n\nmQIN\n-----END\n' }]);
  });
});
