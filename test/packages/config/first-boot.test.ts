import assert from 'node:assert/strict';
import { loadConfig } from '@gateway/config';
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
});
