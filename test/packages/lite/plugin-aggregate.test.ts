import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { encodeUserData } from '@gateway/cloud-init';
import {
  aggregatePlugins,
  controlNodeFirstBootData,
  enabledPlugins,
  missingServices,
  type PluginKey,
  pluginAccessRules,
  pluginKeys,
} from '@gateway/lite';
import type { LitePluginsConfig } from '@gateway/platform';
import { keyId, pluginSettings } from './plugin-settings.ts';

const order: PluginKey[] = [
  'cloud_controller',
  'block_csi',
  'file_csi',
  'lb_ingress',
  'identity_auth',
  'secrets_kms',
  'gpu',
];

function paths(keys: PluginKey[]): string[] {
  return aggregatePlugins(keys, pluginSettings()).files.map(({ path }) => path);
}

describe('the plugins of a cluster', () => {
  it("are installed in the interface's order, whatever their keys' order", () => {
    const { plugins } = aggregatePlugins([...order].reverse(), pluginSettings());

    assert.deepEqual(pluginKeys, order);
    assert.deepEqual(
      plugins.map(({ key }) => key),
      order,
    );
  });

  it('bring objects that they share once, with the first of them', () => {
    const namesIn = (keys: PluginKey[]) =>
      aggregatePlugins(keys, pluginSettings()).plugins.map(({ key, objects }) => [
        key,
        objects.filter(({ metadata }) => metadata.name.startsWith('volumesnapshots.')).length,
        objects.filter(({ kind }) => kind === 'VolumeSnapshotClass').map(({ metadata }) => metadata.name),
      ]);

    assert.deepEqual(namesIn(['file_csi', 'block_csi']), [
      ['block_csi', 1, ['block-storage']],
      ['file_csi', 0, ['file-storage']],
    ]);
    assert.deepEqual(namesIn(['file_csi']), [['file_csi', 1, ['file-storage']]]);
  });

  it('add nothing when all are switched off', () => {
    const off: LitePluginsConfig = {
      cloudControllerEnabled: false,
      blockCsiEnabled: false,
      fileCsiEnabled: false,
      lbIngressEnabled: false,
      identityAuthEnabled: false,
      secretsKmsEnabled: false,
      gpuEnabled: false,
    };

    const nothing = { serverArguments: [], agentArguments: [], files: [], plugins: [] };
    assert.deepEqual(
      aggregatePlugins(
        enabledPlugins(off, { hasGpus: true }),
        pluginSettings({ credential: null, keyId: null }),
      ),
      nothing,
    );
    assert.deepEqual(pluginAccessRules([], { keyId: null }), []);
    const some = { ...off, fileCsiEnabled: true, gpuEnabled: true };
    assert.deepEqual(enabledPlugins(some, { hasGpus: false }), ['file_csi']);
    assert.deepEqual(enabledPlugins(some, { hasGpus: true }), ['file_csi', 'gpu']);
  });

  it('add exactly these arguments', () => {
    const kubeletArguments = [
      '--kubelet-arg=cloud-provider=external',
      '--kubelet-arg=provider-id=openstack:///@INSTANCE_ID@',
    ];
    const each = Object.fromEntries(
      order.map((key) => [key, aggregatePlugins([key], pluginSettings()).serverArguments]),
    );
    const { agentArguments } = aggregatePlugins(order, pluginSettings());

    assert.deepEqual(each, {
      cloud_controller: [
        '--disable-cloud-controller',
        '--disable=servicelb',
        '--disable=traefik',
        ...kubeletArguments,
      ],
      block_csi: ['--disable=local-storage'],
      file_csi: [],
      lb_ingress: ['--disable=traefik'],
      identity_auth: [
        '--kube-apiserver-arg=authentication-token-webhook-config-file=/etc/kubernetes/identity-auth-webhook.yaml',
        '--kube-apiserver-arg=authentication-token-webhook-version=v1beta1',
      ],
      secrets_kms: [
        '--kube-apiserver-arg=encryption-provider-config=/etc/kubernetes/encryption.yaml',
        '--kube-apiserver-arg=encryption-provider-config-automatic-reload=true',
      ],
      gpu: [],
    });
    assert.deepEqual(agentArguments, kubeletArguments);
  });

  it('write every file that the API server reads at its start', () => {
    const { serverArguments, files } = aggregatePlugins(order, pluginSettings());
    const read = serverArguments.flatMap((argument) => /=(\/.*)$/.exec(argument)?.[1] ?? []);

    assert.equal(read.length, 2);
    for (const path of read) assert.equal(files.find((file) => file.path === path)?.mode, '0600', path);
  });

  it('share one cloud configuration, which only some need', () => {
    const cloudConf = '/etc/kubernetes/cloud.conf';

    assert.equal(paths(order).filter((path) => path === cloudConf).length, 1);
    for (const key of order) {
      const reads = ['cloud_controller', 'block_csi', 'secrets_kms'].includes(key);
      assert.equal(paths([key]).includes(cloudConf), reads, key);
    }
  });

  it('keep files with secrets from everyone but root', () => {
    const { files } = aggregatePlugins(order, pluginSettings());

    for (const { content, mode, path } of files) {
      if (content.includes('the-secret')) assert.equal(mode, '0600', path);
    }
  });

  it('refuse settings that no format could carry, without quoting them', () => {
    const broken = [
      pluginSettings({ region: 'a\nb-secret' }),
      pluginSettings({ clusterName: 'a\u0000b-secret' }),
      pluginSettings({ credential: { id: 'x', secret: 'b-secret\u2028' } }),
      pluginSettings({ identityUrl: '' }),
      pluginSettings({ volumeType: '\ud800b-secret' }),
      pluginSettings({ caPem: 'b-secret\u0001' }),
      pluginSettings({ keyId: '../b-secret' }),
      pluginSettings({ credential: null }),
      pluginSettings({ keyId: null }),
    ];

    for (const settings of broken) {
      assert.throws(
        () => aggregatePlugins(order, settings),
        (error: Error) => !error.message.includes('b-secret'),
      );
    }
  });

  it('fit into the first-boot data of a control node with everything else', () => {
    // A bundle of four certificates.
    const caPem = randomBytes(6_000).toString('base64');
    const { plugins, files, serverArguments } = aggregatePlugins(order, pluginSettings({ caPem }));

    const data = controlNodeFirstBootData({
      nodeName: 'n'.repeat(63),
      k3s: {
        version: 'v1.36.1+k3s1',
        installerUrl: 'https://mirror.example/install.sh',
        installerSha256: 'a'.repeat(64),
        channelUrl: null,
        artifactUrl: 'https://mirror.example/k3s',
        registries: [{ name: 'registry.k8s.io', endpoint: 'https://mirror.example', rewrite: [] }],
      },
      registryCredentials: [
        { host: 'mirror.example', username: 'nodes', password: randomBytes(300).toString('base64') },
      ],
      serverArguments,
      gpu: { driverPackages: ['nvidia-headless-580-server'], toolkitPackages: ['nvidia-container-toolkit'] },
      tlsSans: ['203.0.113.10'],
      address: '203.0.113.10',
      callback: {
        url: 'https://gateway.example/api/lite/callback',
        progressUrl: 'https://gateway.example/api/lite/callback/progress',
        token: randomBytes(48).toString('hex'),
        caPem,
      },
      renewal: {
        url: 'https://gateway.example/api/lite/callback/kubeconfig',
        token: randomBytes(48).toString('hex'),
      },
      timeLimitSeconds: 1800,
      files,
      plugins,
    });

    const { length } = encodeUserData(data, 'cluster');
    assert.ok(length < 60_000, `${length} bytes`);
  });
});

describe('the services that plugins need', () => {
  it('are named with the plugin when they are missing', () => {
    const missing = missingServices(
      order,
      (service) => service !== 'keyManager' && service !== 'loadBalancer',
    );

    assert.deepEqual(missing, [
      { key: 'cloud_controller', service: 'loadBalancer' },
      { key: 'lb_ingress', service: 'loadBalancer' },
      { key: 'secrets_kms', service: 'keyManager' },
    ]);
    assert.deepEqual(
      missingServices(order, () => true),
      [],
    );
  });
});

describe('the access rules of the plugins', () => {
  it('allow the requests of the programs and no others', () => {
    const project = '423d41d3a02f4b77b4a9bbfbc3a1b3c6';
    const rules = pluginAccessRules(order, { keyId });
    const allows = (service: string, method: string, path: string) =>
      rules.some(
        (rule) => rule.service === service && rule.method === method && pattern(rule.path).test(path),
      );

    const allowed: [string, string, string][] = [
      ['compute', 'GET', '/v2.1/servers/detail'],
      ['compute', 'GET', '/compute/v2.1/servers/x'],
      ['compute', 'GET', `/v2/${project}/flavors/x`],
      ['compute', 'POST', '/v2.1/servers/x/os-volume_attachments'],
      ['compute', 'DELETE', '/v2.1/servers/x/os-volume_attachments/y'],
      ['network', 'GET', '/networking/v2.0/ports'],
      ['network', 'PUT', '/v2.0/floatingips/x'],
      ['load-balancer', 'POST', '/load-balancer/v2.0/lbaas/loadbalancers'],
      ['load-balancer', 'PUT', '/v2/lbaas/pools/x/members'],
      ['volumev3', 'POST', `/volume/v3/${project}/volumes/x/action`],
      ['block-storage', 'GET', '/v3/volumes/detail'],
      ['sharev2', 'POST', '/v2/shares/x/action'],
      ['shared-file-system', 'GET', `/v2/${project}/shares/x/export_locations`],
      ['key-manager', 'GET', `/key-manager/v1/secrets/${keyId}/payload`],
      ['key-manager', 'POST', '/v1/secrets'],
    ];
    const refused: [string, string, string][] = [
      ['identity', 'POST', '/v3/auth/tokens'],
      ['identity', 'GET', '/v3/projects'],
      ['compute', 'POST', '/v2.1/servers'],
      ['compute', 'GET', '/v2.1/servers/x/os-server-password'],
      ['compute', 'DELETE', '/v2.1/servers/x'],
      ['compute', 'POST', '/v2.1/servers/x/action'],
      ['network', 'DELETE', '/v2.0/ports/x'],
      ['network', 'POST', '/v2.0/networks'],
      ['network', 'DELETE', '/v2.0/security-groups/x'],
      ['network', 'GET', '/v2.0/security-groups/x'],
      ['image', 'GET', '/v2/images'],
      ['key-manager', 'GET', '/v1/secrets/another/payload'],
      ['key-manager', 'GET', `/v1/secrets/${keyId}/payload/x`],
    ];

    for (const request of allowed) assert.ok(allows(...request), request.join(' '));
    for (const request of refused) assert.ok(!allows(...request), request.join(' '));
  });

  it('have the form that the identity service requires, each once', () => {
    const rules = pluginAccessRules(order, { keyId });

    for (const { path } of rules) assert.match(path, /^\/.{1,254}$/);
    assert.equal(new Set(rules.map((rule) => JSON.stringify(rule))).size, rules.length);
  });

  it('are none for a plugin without a credential', () => {
    assert.deepEqual(pluginAccessRules(['identity_auth'], { keyId: null }), []);
  });
});

/** The services' regular expression for a rule's path. */
function pattern(path: string): RegExp {
  const source = path.replaceAll(/\*\*|\*/g, (wildcard) => (wildcard === '**' ? '.*' : '[^/]+'));
  return new RegExp(`^${source}$`);
}
