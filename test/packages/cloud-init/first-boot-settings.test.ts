import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { GuestSandbox } from './guest-sandbox.ts';
import {
  agentNode,
  builder,
  controlNode,
  filesOf,
  layered,
  type MachinePlan,
  nfsLayer,
  plain,
  readBack,
  settings,
} from './plan.ts';
import { Receiver } from './receiver.ts';

const path = '/etc/gateway/first-boot/environment';
const BUNDLE = '/etc/ssl/certs/ca-certificates.crt';

const machines: Record<string, MachinePlan> = {
  'an instance with libraries': layered([nfsLayer('a')]),
  'a builder': builder(),
  'a control node': controlNode(),
  'an agent': agentNode(),
};

/** The variables of a machine, by name. */
function variablesOf(plan: MachinePlan, own = settings): Map<string, string> {
  const lines = (filesOf(plan, own).get(path) ?? '').split('\n').slice(0, -1);
  return new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

describe('the settings of the first boot', () => {
  for (const [name, plan] of Object.entries(machines)) {
    it(`reach ${name} as cloud-config and as variables for root`, () => {
      const data = readBack(plan, settings);
      const variables = variablesOf(plan);

      assert.deepEqual(data.apt, {
        primary: [{ arches: ['default'], uri: settings.aptMirror }],
        security: [{ arches: ['default'], uri: settings.aptSecurityMirror }],
        sources: {
          'toolkit.list': {
            source: 'deb [signed-by=$KEY_FILE] https://mirror.example.org/deb/$(ARCH) /',
            key: settings.aptSources[0]?.key,
          },
          'tools.list': {
            source:
              'deb [signed-by=$KEY_FILE] https://mirror.example.org/tools $RELEASE-updates main contrib',
            key: settings.aptSources[1]?.key,
          },
        },
      });
      assert.deepEqual(data.ca_certs, { trusted: settings.certificates });
      assert.deepEqual(data.ntp, { enabled: true, servers: settings.ntpServers });
      assert.equal(data.write_files?.find((file) => file.path === path)?.permissions, '0600');
      assert.equal(variables.get('PIP_INDEX_URL'), settings.pipIndexUrl);
      assert.equal(variables.get('PIP_EXTRA_INDEX_URL'), 'https://one.example.org/ https://two.example.org/');
      for (const key of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY']) {
        assert.equal(variables.get(key), settings.proxy);
      }
      assert.ok(variables.get('no_proxy')?.startsWith(settings.noProxy.join(',')));
      assert.equal(variables.get('no_proxy'), variables.get('NO_PROXY'));
    });

    it(`leave the sources of the image to ${name} by default`, () => {
      const data = readBack(plan);

      assert.deepEqual([data.apt, data.ca_certs, data.ntp], [undefined, undefined, undefined]);
      assert.equal(filesOf(plan).has(path), false);
    });
  }

  it('let nodes reach the API server of their cluster directly', () => {
    const hostsOf = (plan: MachinePlan) => variablesOf(plan).get('no_proxy')?.split(',').slice(3);

    assert.deepEqual(hostsOf(controlNode({ address: '192.0.2.7', tlsSans: ['10.0.0.5', '192.0.2.7'] })), [
      '192.0.2.7',
      '10.0.0.5',
    ]);
    assert.deepEqual(hostsOf(agentNode({ serverUrl: 'https://[2001:db8::5]:6443' })), ['2001:db8::5']);
  });

  it('give a plain instance what cloud-init applies, but no variables', () => {
    const data = readBack(plain(), settings);

    assert.deepEqual(Object.keys(data).sort(), ['apt', 'ca_certs', 'hostname', 'ntp']);
  });

  it('consist of those that are set', () => {
    const own = { ...settings, pipIndexUrl: null, pipExtraIndexUrls: [], proxy: null, aptMirror: null };

    assert.deepEqual([...variablesOf(builder(), own)], [['GATEWAY_SYSTEM_CERTIFICATES', 'yes']]);
    assert.deepEqual(Object.keys(readBack(builder(), own).apt as object), ['security', 'sources']);
  });

  it('are refused with a control character, without showing the value', () => {
    assert.throws(
      () => filesOf(builder(), { ...settings, proxy: 'http://secret\nPATH=/tmp' }),
      (error: Error) => !error.message.includes('secret'),
    );
  });
});

describe('a guest with settings', function () {
  this.timeout(120_000);

  it('passes them to pip, reports without the proxy, and logs none', async () => {
    const receiver = new Receiver();
    await receiver.open();
    const report = { url: receiver.url, token: 'token', caCertificate: null };
    const plan = builder({ packages: ['numpy'], report });
    const guest = new GuestSandbox(plan, { pip3: 'env > "$guest/pip-environment"' });
    guest.write(path, filesOf(plan, settings).get(path) ?? '');

    const { output } = await guest.boot();

    const environment = guest.read('/pip-environment')?.split('\n') ?? [];
    const log = guest.read('/var/log/gateway-first-boot.log') ?? '';
    guest.remove();
    await receiver.close();
    for (const [name, value] of variablesOf(plan)) assert.ok(environment.includes(`${name}=${value}`), name);
    assert.equal(environment.includes(`PIP_CERT=${BUNDLE}`), existsSync(BUNDLE));
    assert.equal(receiver.finals.length, 1, output);
    assert.doesNotMatch(log + output + JSON.stringify(receiver.finals), /pass%20word|user:secret/);
  });
});
