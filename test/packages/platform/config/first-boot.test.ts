import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@gateway/platform';
import { withFile } from './environment.ts';

function load(firstBoot: object) {
  return withFile(JSON.stringify({ first_boot: firstBoot }), loadConfig).firstBoot;
}

describe('the settings of the first boot', () => {
  it('are those of the images by default', () => {
    assert.deepEqual(load({}), {
      pipIndexUrl: null,
      pipExtraIndexUrls: [],
      proxy: null,
      noProxy: [],
      caFile: null,
      aptMirror: null,
      aptSecurityMirror: null,
      aptSources: [],
      ntpServers: [],
    });
  });

  it('may contain passwords, networks and domains', () => {
    const settings = load({
      pip_index_url: 'https://user:pass@mirror.example.org/simple/',
      proxy: 'http://user:pass@proxy.example.org:3128',
      no_proxy: ['.example.org', '10.0.0.0/8', '2001:db8::1'],
    });

    assert.equal(settings.pipIndexUrl, 'https://user:pass@mirror.example.org/simple/');
    assert.equal(settings.noProxy.length, 3);
  });

  const refused: Record<string, object> = {
    pip_index_url: { pip_index_url: 'ftp://user:secret@mirror.example.org/' },
    'pip_extra_index_urls[0]': { pip_extra_index_urls: ['user:secret@mirror.example.org'] },
    proxy: { proxy: 'socks5://user:secret@proxy.example.org' },
    'no_proxy[0]': { no_proxy: ['a,secret'] },
    apt_mirror: { apt_mirror: 'https://user:secret@mirror.example.org/' },
    'ntp_servers[0]': { ntp_servers: ['a secret'] },
    ca_file: { ca_file: '/no/such/file' },
  };
  for (const [key, settings] of Object.entries(refused)) {
    it(`are rejected with an invalid ${key}, without showing the value`, () => {
      assert.throws(
        () => load(settings),
        (error: Error) => error.message.includes(`"first_boot.${key}"`) && !error.message.includes('secret'),
      );
    });
  }

  describe('about repositories of apt', () => {
    const KEY = 'PGP PUBLIC KEY BLOCK';
    const armored = `-----BEGIN ${KEY}-----\nComment: a key - of a site\n\nmQINBF+/=\n=a-\n-----END ${KEY}-----\n`;
    const source = { name: 'toolkit', url: 'https://mirror.example.org/deb/$(ARCH)', suite: '/' };
    let folder: string;
    let file: string;

    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'apt-key-'));
      file = join(folder, 'key.asc');
      writeFileSync(file, armored);
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    const loaded = (change: object) =>
      load({ apt_sources: [{ ...source, key_file: file, ...change }] }).aptSources;

    it('have a suite with components, or a suite that is a path', () => {
      assert.deepEqual(loaded({}), [{ ...source, components: [], keyFile: file }]);
      const tools = { suite: '$RELEASE-updates', components: ['main', 'non-free'] };
      assert.deepEqual(loaded(tools), [{ ...source, ...tools, keyFile: file }]);
    });

    for (const change of [
      { name: '../evil' },
      { name: 'A' },
      { url: 'https://user:secret@mirror.example.org' },
      { url: 'ftp://mirror.example.org' },
      { url: 'https://mirror.example.org/$(secret)' },
      { url: 'https://mirror.example.org/$KEY_FILE' },
      { url: 'https://mirror.example.org/a b' },
      { suite: 'stable' },
      { suite: '/', components: ['main'] },
      { suite: 'a [trusted=yes] b/' },
      { suite: '$SECRET/' },
      { suite: 'stable', components: ['[secret]'] },
      { key_file: '/no/such/file' },
      { key_file: undefined },
    ]) {
      it(`are rejected with ${JSON.stringify(change)}`, () => {
        assert.throws(
          () => loaded(change),
          (error: Error) =>
            error.message.includes('"first_boot.apt_sources[0]') && !error.message.includes('secret'),
        );
      });
    }

    const wrongKeys: Record<string, string> = {
      'a private key': armored.replaceAll('PUBLIC', 'PRIVATE'),
      'a private key behind the public one': `${armored}${armored.replaceAll('PUBLIC', 'PRIVATE')}`,
      'two keys': armored + armored,
      'a binary key': '\x99\x01',
      nothing: '',
      'a long text': armored.replace('mQ', 'mQ'.repeat(10_000)),
    };
    for (const [name, text] of Object.entries(wrongKeys)) {
      it(`are rejected with a file of ${name}`, () => {
        writeFileSync(file, text);

        assert.throws(() => loaded({}), /"first_boot\.apt_sources\[0\]\.key_file" names a file/);
      });
    }

    it('have names of their own', () => {
      const one = { ...source, key_file: file };

      assert.throws(() => load({ apt_sources: [one, one] }), /\[1\]" has the name of an earlier one/);
    });
  });
});
