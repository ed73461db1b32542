import assert from 'node:assert/strict';
import { agentNodeFirstBootData, controlNodeFirstBootData } from '@gateway/lite';
import { parse } from 'yaml';
import { agentNode, controlNode, filesOf, readBack } from '../../cloud-init/plan.ts';

const planPath = '/etc/gateway/first-boot/plan';
const hostile = `'"\\$(reboot)\`id\` # : - &a *a %h $HOME {}[]!|>;\n\tgröße`;

function argumentsOf(plan: Parameters<typeof filesOf>[0]): string[] {
  return linesOf(plan)
    .filter((line) => line.startsWith('argument '))
    .map((line) => line.slice('argument '.length));
}

function linesOf(plan: Parameters<typeof filesOf>[0]): string[] {
  return filesOf(plan).get(planPath)?.trimEnd().split('\n') ?? [];
}

/** Reads a word of a unit as systemd does: escapes, then specifiers and variables. */
function unescaped(word: string): string {
  const bytes = word.replaceAll(/\\x([0-9a-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString().replaceAll('%%', '%').replaceAll('$$', '$');
}

describe('controlNodeFirstBootData', () => {
  const k3s = {
    version: 'v1.36.1+k3s1',
    installerUrl: 'https://get.k3s.io',
    installerSha256: 'ab'.repeat(32),
    channelUrl: 'https://mirror/channels',
    artifactUrl: 'https://mirror/files',
    registries: [],
  };

  it('has a plan with a line per value', () => {
    const plan = controlNode({
      k3s,
      tlsSans: ['203.0.113.9'],
      serverArguments: ['--disable=traefik'],
      plugins: [
        {
          key: 'block_csi',
          manifests: 'kind: A\n',
          workloads: [{ kind: 'DaemonSet', name: 'nodes', app: 'nodes' }],
        },
      ],
    });

    assert.deepEqual(linesOf(plan), [
      'task control-node',
      'k3s_version v1.36.1+k3s1',
      'installer_url https://get.k3s.io',
      `installer_sha256 ${'ab'.repeat(32)}`,
      'channel_url https://mirror/channels',
      'artifact_url https://mirror/files',
      'argument --node-name',
      'argument c1-server',
      'argument --write-kubeconfig-mode',
      'argument 600',
      'argument --agent-token-file',
      'argument /etc/rancher/k3s/agent-token',
      'argument --tls-san',
      'argument 203.0.113.9',
      'argument --disable=traefik',
      'address 10.0.0.5',
      'api_host 10.0.0.5',
      'plugin block_csi',
      'workload block_csi daemonset/nodes nodes',
      'report_url http://10.0.0.9:8000/callback',
      'progress_url http://10.0.0.9:8000/callback/progress',
      'renewal_url http://10.0.0.9:8000/kubeconfig',
      'time_limit 1500',
    ]);
    assert.equal(readBack(plan).hostname, 'c1-server');
  });

  it('writes files and manifests unchanged, with their modes', () => {
    const plan = controlNode({
      files: [{ path: '/etc/kubernetes/cloud.conf', mode: '0600', content: `secret=${hostile}` }],
      plugins: [{ key: 'block_csi', manifests: `a: ${hostile}`, workloads: [] }],
    });

    const written = readBack(plan).write_files?.filter(({ path }) =>
      /^\/(opt|etc\/kubernetes)/.test(String(path)),
    );

    assert.deepEqual(written, [
      { path: '/etc/kubernetes/cloud.conf', permissions: '0600', content: `secret=${hostile}` },
      { path: '/opt/k3s/block_csi-manifests.yaml', permissions: '0600', content: `a: ${hostile}` },
    ]);
  });

  it('has the mirrors of registries in a root-only file', () => {
    const registries = [
      {
        name: 'docker.io',
        endpoint: 'https://mirror/"a',
        rewrite: [
          { pattern: '^rancher/(.*)', replacement: 'hub/rancher-$1' },
          { pattern: '^library/(\\w+)$', replacement: 'hub/$1' },
        ],
      },
      { name: '*', endpoint: 'http://mirror:5000', rewrite: [] },
    ];
    const plan = controlNode({ k3s: { ...k3s, registries } });

    const file = readBack(plan).write_files?.find(({ path }) => path === '/etc/rancher/k3s/registries.yaml');

    assert.equal(file?.permissions, '0600');
    assert.deepEqual(parse(file?.content ?? '', { version: '1.1' }), {
      mirrors: {
        'docker.io': {
          endpoint: ['https://mirror/"a'],
          rewrite: { '^rancher/(.*)': 'hub/rancher-$1', '^library/(\\w+)$': 'hub/$1' },
        },
        '*': { endpoint: ['http://mirror:5000'] },
      },
    });
    assert.equal(filesOf(controlNode()).has('/etc/rancher/k3s/registries.yaml'), false);
  });

  it('has the credentials of mirrors in that file only', () => {
    const registries = [{ name: 'docker.io', endpoint: 'https://mirror:5000/v2/hub', rewrite: [] }];
    const password = `p'"\\$(reboot)\`id\` # : - &a *a %h {}[]!|>größe`;
    const registryCredentials = [{ host: 'mirror:5000', username: 'robot$nodes', password }];
    const path = '/etc/rancher/k3s/registries.yaml';
    for (const plan of [controlNode, agentNode]) {
      const node = plan({ k3s: { ...k3s, registries }, registryCredentials });

      const files = readBack(node).write_files?.filter(({ content }) => content.includes('größe')) ?? [];

      assert.deepEqual(
        files.map((file) => [file.path, file.permissions]),
        [[path, '0600']],
      );
      assert.deepEqual(parse(filesOf(node).get(path) ?? '', { version: '1.1' }), {
        mirrors: { 'docker.io': { endpoint: ['https://mirror:5000/v2/hub'] } },
        configs: { 'mirror:5000': { auth: { username: 'robot$nodes', password } } },
      });
    }
  });

  it('has arguments as words that systemd reads as the same text', () => {
    const plan = controlNode({ nodeName: hostile, serverArguments: [hostile], tlsSans: [hostile] });

    const words = argumentsOf(plan);

    assert.deepEqual(words.map(unescaped), [
      ...['--node-name', hostile, '--write-kubeconfig-mode', '600'],
      ...['--agent-token-file', '/etc/rancher/k3s/agent-token', '--tls-san', hostile, hostile],
    ]);
    assert.ok(
      words.every((word) => /^([\w@.,:/=+-]|%%|\$\$|\\x[0-9a-f]{2})+$/.test(word)),
      words.join(' '),
    );
  });

  it('has each token only in one file that only root can read', () => {
    const token = `t'"\\$(reboot)\`id\` # : - &a *a %s {}[]!|>`;
    const renewalToken = `renewal-${token}`;
    const plan = controlNode({
      callback: { ...controlNode().callback, token },
      renewal: { ...controlNode().renewal, token: renewalToken },
    });

    const containing = readBack(plan).write_files?.filter(({ content }) => content.includes(token));

    assert.deepEqual(containing, [
      { path: '/etc/gateway/first-boot/report-token', permissions: '0600', content: `${token}\n` },
      { path: '/etc/gateway/first-boot/renewal-token', permissions: '0600', content: `${renewalToken}\n` },
    ]);
  });

  it('contains the certificate of the gateway’s authority if one is configured', () => {
    const caPem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
    const plan = controlNode({ callback: { ...controlNode().callback, caPem } });

    assert.equal(filesOf(plan).get('/etc/gateway/first-boot/report-ca.pem'), caPem);
    assert.equal(filesOf(controlNode()).has('/etc/gateway/first-boot/report-ca.pem'), false);
  });

  it('has no value of the plan in a script', () => {
    const scripts = (plan: Parameters<typeof filesOf>[0]) =>
      [...filesOf(plan)].filter(([path]) => /^\/usr\/local\/|\.service$/.test(path));
    const plan = controlNode({ nodeName: hostile, serverArguments: [hostile], address: 'attack.example' });

    assert.deepEqual(scripts(plan), scripts(controlNode()));
    assert.ok(scripts(plan).length >= 9);
  });

  const invalid = {
    'a token of two lines': { callback: { ...controlNode().callback, token: 'secret\nmore' } },
    'an empty token': { callback: { ...controlNode().callback, token: '' } },
    'a callback URL with another protocol': {
      callback: { ...controlNode().callback, url: 'file:///secret' },
    },
    'a renewal URL with another protocol': { renewal: { ...controlNode().renewal, url: 'file:///secret' } },
    'an empty renewal token': { renewal: { ...controlNode().renewal, token: '' } },
    'an installer URL with another protocol': { k3s: { ...k3s, installerUrl: 'file:///secret' } },
    'an installer URL of two lines': { k3s: { ...k3s, installerUrl: 'http://a/\ntask secret' } },
    'a version of two lines': { k3s: { ...k3s, version: 'v1\naddress secret' } },
    'a mirror with another protocol': {
      k3s: { ...k3s, registries: [{ name: 'docker.io', endpoint: 'file:///secret', rewrite: [] }] },
    },
    'a password of two lines': {
      k3s: { ...k3s, registries: [{ name: 'docker.io', endpoint: 'https://mirror', rewrite: [] }] },
      registryCredentials: [{ host: 'mirror', username: 'nodes', password: 'secret\nmore' }],
    },
    'an address that is neither a name nor an IP address': { address: '10.0.0.5/secret#' },
    'an empty argument': { serverArguments: [''] },
    'the key of a plugin with a path': { plugins: [{ key: '../secret', manifests: '', workloads: [] }] },
    'a workload with a blank': {
      plugins: [
        { key: 'a', manifests: '', workloads: [{ kind: 'Job', name: 'x --kubeconfig=/x', app: 'x' }] },
      ],
    },
    'a relative path': { files: [{ path: 'secret', mode: '0600', content: '' }] },
    'a path through a parent': { files: [{ path: '/etc/../secret', mode: '0600', content: '' }] },
    'a mode that is not octal': { files: [{ path: '/etc/secret', mode: 'secret', content: '' }] },
    'a time limit of zero': { timeLimitSeconds: 0 },
  };
  for (const [what, plan] of Object.entries(invalid)) {
    it(`refuses ${what}, without its value in the message`, () => {
      assert.throws(
        () => controlNodeFirstBootData(controlNode(plan)),
        (error) => error instanceof Error && !error.message.includes('secret'),
      );
    });
  }
});

describe('agentNodeFirstBootData', () => {
  it('has a plan with a line per value', () => {
    const plan = agentNode({ agentArguments: ['--node-label', 'a=b'] });

    assert.deepEqual(linesOf(plan), [
      'task agent',
      'k3s_version v1.36.1+k3s1',
      'installer_url http://10.0.0.9/install.sh',
      'argument --node-name',
      'argument c1-agent-1',
      'argument --node-label',
      'argument a=b',
      'server_url https://10.0.0.5:6443',
    ]);
    assert.equal(readBack(plan).hostname, 'c1-agent-1');
  });

  it('has the token only in one file that only root can read', () => {
    const token = `K10ab::node:'"\\$(reboot)\`id\` # &a`;

    const containing = readBack(agentNode({ token })).write_files?.filter(({ content }) =>
      content.includes(token),
    );

    assert.deepEqual(containing, [
      { path: '/etc/gateway/first-boot/join-token', permissions: '0600', content: `${token}\n` },
    ]);
  });

  it('has arguments as words that systemd reads as the same text', () => {
    const words = argumentsOf(agentNode({ nodeName: hostile, agentArguments: [hostile] }));

    assert.deepEqual(words.map(unescaped), ['--node-name', hostile, hostile]);
  });

  it('uses only the origin of the server’s URL', () => {
    const plan = agentNode({ serverUrl: 'https://10.0.0.5:6443/a"\ntask x' });

    assert.ok(linesOf(plan).includes('server_url https://10.0.0.5:6443'));
  });

  const invalid = {
    'a token of two lines': { token: 'secret\nmore' },
    'a server URL without TLS': { serverUrl: 'http://secret:6443' },
    'a server URL whose host has other characters': { serverUrl: 'https://secret$(reboot):6443' },
  };
  for (const [what, plan] of Object.entries(invalid)) {
    it(`refuses ${what}, without its value in the message`, () => {
      assert.throws(
        () => agentNodeFirstBootData(agentNode(plan)),
        (error) => error instanceof Error && !error.message.includes('secret'),
      );
    });
  }
});
