import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aggregatePlugins, type PluginSettings } from '@gateway/lite';
import { hostile, hostileSettings, keyId, pluginSettings } from './plugin-settings.ts';

function cloudConf(settings: PluginSettings): string {
  const file = aggregatePlugins(['cloud_controller'], settings).files.find(({ path }) =>
    path.endsWith('/cloud.conf'),
  );
  return file?.content ?? '';
}

/** The settings as git reads them, whose format this is: `section.name` to value. */
function parsed(text: string): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'cloud-conf-'));
  try {
    writeFileSync(join(folder, 'cloud.conf'), text);
    const listed = execFileSync('git', ['config', '--file', join(folder, 'cloud.conf'), '--null', '--list'], {
      encoding: 'utf8',
    });
    const entries = listed.split('\0').filter((entry) => entry !== '');
    return Object.fromEntries(
      entries.map((entry) => [entry.slice(0, entry.indexOf('\n')), entry.slice(entry.indexOf('\n') + 1)]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the shared cloud configuration', () => {
  it('has the settings under the names that the programs document', () => {
    assert.deepEqual(parsed(cloudConf(pluginSettings())), {
      'global.auth-url': 'https://identity.example/v3',
      'global.region': 'RegionOne',
      'global.application-credential-id': '0123456789abcdef0123456789abcdef',
      'global.application-credential-secret': 'the-secret',
      'global.ca-file': '/etc/kubernetes/cloud-ca.pem',
      'loadbalancer.subnet-id': '9c018814-f2a8-45dd-9679-5400d49b333a',
      'loadbalancer.floating-network-id': '80c9fc78-a2be-45d5-a85b-f17a6c98df92',
      'loadbalancer.internal-lb': 'false',
      'loadbalancer.create-monitor': 'true',
      'loadbalancer.manage-security-groups': 'false',
      'keymanager.key-id': keyId,
    });
  });

  it('carries any line of text', () => {
    const settings = parsed(cloudConf(hostileSettings()));

    for (const name of ['global.region', 'global.application-credential-secret']) {
      assert.equal(settings[name], hostile, name);
    }
    assert.equal(settings['global.auth-url'], `${hostile}/v3`);
    assert.equal(settings['loadbalancer.subnet-id'], hostile);
    assert.equal(Object.keys(settings).length, 12);
  });

  it('makes internal load balancers where there is no external network', () => {
    const settings = parsed(cloudConf(pluginSettings({ floatingNetworkId: null })));

    assert.equal(settings['loadbalancer.internal-lb'], 'true');
    assert.ok(!('loadbalancer.floating-network-id' in settings));
  });

  it('leaves out what the site does not have', () => {
    const settings = parsed(cloudConf(pluginSettings({ caPem: null, region: '', keyId: null })));

    assert.ok(!('global.ca-file' in settings));
    assert.ok(!('global.region' in settings));
    assert.ok(!('keymanager.key-id' in settings));
  });

  it('uses the only method of the provider ovn', () => {
    const settings = parsed(cloudConf(pluginSettings({ loadBalancerProvider: 'ovn' })));

    assert.equal(settings['loadbalancer.lb-method'], 'SOURCE_IP_PORT');
  });
});
