import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { encodeUserData } from '@gateway/cloud-init';
import { agentNodeFirstBootData, type ControlNodePlan, controlNodeFirstBootData } from '@gateway/lite';
import { agentNode, controlNode } from '../packages/cloud-init/plan.ts';
import { bootMachine, type Machine } from './machine.ts';
import { assertChecks, describeOnMachine } from './machine-suite.ts';
import { installerWithPowerFailures, type NodeSource, nodeSource } from './node-source.ts';

/** Text with a meaning in shells, YAML and units, which creates a file if something executes it. */
const hostile = `a'b"\\c $(touch /root/gateway-was-here-1) \`touch /root/gateway-was-here-2\` %h $HOME # : - &a *a {}[]!|>;\n\tgröße`;
const callbackUrl = 'http://10.0.2.2:8080/api/lite/callback';
const renewal = { url: `${callbackUrl}/kubeconfig`, token: `renewal.${'0'.repeat(64)}` };
const k3s = {
  ...controlNode().k3s,
  installerUrl: 'https://get.k3s.io',
  registries: [{ name: 'docker.io', endpoint: `http://mirror/'"$(reboot)`, rewrite: [] }],
};
const [FIRST, REBOOTED, AFTER_POWER_FAILURE] = [1, 2, 3];

const plugins = ['first', 'second', 'third'].map((key) => ({
  key,
  manifests: JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: key },
    data: { hostile },
  }),
  workloads: [],
}));

const setUp = ['cloud-init-done', 'completed', 'status-ready', 'k3s-active', 'k3s-enabled', 'node-ready'];
const unchanged = ['node-name', 'arguments', 'words-arrive', 'files-unchanged', 'manifests-unchanged'];
const secrets = ['files-private', 'report-removed', 'token-nowhere-else', 'agent-token-nowhere-else'];
const healthy = ['nothing-executed', 'no-failed-unit'];

interface Report {
  token: string;
  success: boolean;
  kubeconfig: string;
  node_token: string;
  server_ip: string;
  k3s_version: string;
  plugin_status: Record<string, string>;
  error: string | null;
}

function planOf(attributes: Partial<ControlNodePlan> = {}): ControlNodePlan {
  return controlNode({
    nodeName: hostile,
    k3s,
    tlsSans: ['203.0.113.9'],
    serverArguments: ['--node-label', hostile],
    callback: {
      url: callbackUrl,
      // Nobody listens: stages that are lost must not matter.
      progressUrl: 'http://10.0.2.2:9/api/lite/callback/progress',
      token: 'tok-$(touch /root/gateway-was-here-3)\'"\\-en',
      caPem: null,
    },
    renewal,
    files: [{ path: '/etc/kubernetes/cloud.conf', mode: '0600', content: `secret=${hostile}` }],
    plugins,
    ...attributes,
  });
}

function userDataOf(text: string): Buffer {
  return Buffer.from(encodeUserData(text, 'cluster'), 'base64');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function expectations(plan: ControlNodePlan, applied: string): Record<string, string> {
  const words = [
    ...['--node-name', plan.nodeName, '--write-kubeconfig-mode', '600'],
    ...['--agent-token-file', '/etc/rancher/k3s/agent-token', '--tls-san', '203.0.113.9'],
    ...plan.serverArguments,
  ];
  return {
    NODE_NAME: plan.nodeName,
    TOKEN: plan.callback.token,
    EXPECT_ARGUMENTS: sha256(words.map((word) => `${word}\0`).join('')),
    EXPECT_CONFIG: sha256(`secret=${hostile}`),
    EXPECT_MANIFESTS: sha256(plan.plugins[0]?.manifests ?? ''),
    EXPECT_APPLIED: applied,
  };
}

function installationPostsOf({ posts }: Machine): Machine['posts'] {
  return posts.filter(({ url }) => url === callbackUrl);
}

function reportsOf(machine: Machine): Report[] {
  return installationPostsOf(machine).map(({ body }) => JSON.parse(body));
}

describeOnMachine('the nodes of a cluster', () => {
  let source: NodeSource;

  describe('a control node with a failing plugin and rejected first reports', () => {
    const plan = planOf();
    let machine: Machine;

    before(async () => {
      source = nodeSource({ FAIL_APPLY: 'second' });
      machine = await bootMachine({
        name: 'control-node',
        userData: userDataOf(controlNodeFirstBootData(plan)),
        checks: ['node-functions', 'control-node'],
        env: expectations(plan, 'first third'),
        options: [...source.options, '--post-status', '503,503,200', '--reboot', '--reset'],
      });
    });
    after(() => source.remove());

    it('is set up, and keeps pods from the metadata service', () => {
      assertChecks(machine, [...setUp, 'pods-kept-from-metadata', ...healthy]);
    });

    it('reports what gives access to the cluster, and each plugin', () => {
      const report = reportsOf(machine).at(-1) ?? assert.fail('no report');
      assert.deepEqual([report.token, report.success, report.error], [plan.callback.token, true, null]);
      assert.match(report.kubeconfig, /^ {4}server: https:\/\/10\.0\.0\.5:6443$/m);
      assert.match(report.kubeconfig, /certificate-authority-data: \S+\n/);
      assert.match(report.node_token, /^K10[0-9a-f]{64}::node:[0-9a-f]{64}$/);
      assert.equal(report.server_ip, '10.0.0.5');
      assert.match(report.k3s_version, /^v1\./);
      assert.deepEqual(report.plugin_status, { first: 'deployed', second: 'failed', third: 'deployed' });
    });

    it('applies the other plugins', () => {
      assertChecks(machine, ['manifests-applied']);
    });

    it('repeats the same report until it is accepted', () => {
      const posts = installationPostsOf(machine);
      assert.deepEqual(
        posts.map(({ answered }) => answered),
        [503, 503, 200],
      );
      assert.equal(new Set(posts.map(({ body }) => body)).size, 1);
    });

    it('then reports its configuration file once, with a token of its own', () => {
      assertChecks(machine, ['kubeconfig-reported'], [FIRST, REBOOTED, AFTER_POWER_FAILURE]);
      const posts = machine.posts.filter(({ url }) => url === renewal.url);
      const { kubeconfig } = reportsOf(machine).at(-1) ?? assert.fail('no report');
      assert.deepEqual(
        posts.map(({ body }) => JSON.parse(body)),
        [{ token: renewal.token, kubeconfig }],
      );
    });

    it('has all values as plain text', () => {
      assertChecks(machine, unchanged);
    });

    it('shows no secret, and keeps none of the report', () => {
      assertChecks(machine, secrets, [FIRST, REBOOTED, AFTER_POWER_FAILURE]);
      assert.ok(!machine.console.includes('tok-$'));
    });

    it('reports its success on the console', () => {
      assert.match(machine.console, /gateway first boot: ready, the control node is set up/);
    });

    it('repeats nothing after a reboot and a power failure', () => {
      const keys = ['status-ready', 'k3s-active', 'node-ready', 'installed-once', 'manifests-applied'];
      assertChecks(machine, [...keys, 'later-boots-do-nothing'], [REBOOTED, AFTER_POWER_FAILURE]);
      assertChecks(machine, ['pods-kept-from-metadata', ...healthy], [REBOOTED, AFTER_POWER_FAILURE]);
    });
  });

  describe('a control node that loses power during installation, plugins and report', () => {
    const plan = planOf({ nodeName: 'c1-server' });
    let machine: Machine;

    before(async () => {
      source = nodeSource({}, installerWithPowerFailures);
      machine = await bootMachine({
        name: 'control-node-power-failures',
        userData: userDataOf(controlNodeFirstBootData(plan)),
        checks: ['node-functions', 'control-node', 'power-failures'],
        env: expectations(plan, 'first second third'),
        options: [...source.options, '--post-status', '503,200'],
      });
    });
    after(() => source.remove());

    it('lost power three times', () => {
      assertChecks(machine, ['power-failures']);
    });

    it('is set up in the end', () => {
      assertChecks(machine, [...setUp.slice(1), ...unchanged, 'manifests-applied', ...secrets, ...healthy]);
    });

    it('sends one report, before and after the last power failure', () => {
      const posts = installationPostsOf(machine);
      assert.deepEqual(
        posts.map(({ answered }) => answered),
        [503, 200],
      );
      assert.equal(new Set(posts.map(({ body }) => body)).size, 1);
      const { success, plugin_status: status } = reportsOf(machine)[0] ?? assert.fail('no report');
      assert.deepEqual(
        [success, status],
        [true, { first: 'deployed', second: 'deployed', third: 'deployed' }],
      );
    });
  });

  describe('an agent', () => {
    const plan = agentNode({
      nodeName: hostile,
      k3s,
      token: `K10ab::node:$(touch /root/gateway-was-here-4)'"\\`,
      agentArguments: ['--node-label', hostile],
      failureReport: { url: `${callbackUrl}/agent`, token: 'failure-token', caCertificate: null },
    });
    let machine: Machine;

    before(async () => {
      source = nodeSource({ START_AFTER: '20' });
      machine = await bootMachine({
        name: 'agent',
        userData: userDataOf(agentNodeFirstBootData(plan)),
        checks: ['node-functions', 'agent'],
        env: {
          NODE_NAME: hostile,
          TOKEN: plan.token,
          SERVER_URL: plan.serverUrl,
          EXPECT_ARGUMENTS: sha256(['--node-name', hostile, '--node-label', hostile, ''].join('\0')),
        },
        options: [...source.options, '--reboot'],
      });
    });
    after(() => source.remove());

    it('joins as an agent with the token in a file', () => {
      const keys = [
        'agent-active',
        'agent-enabled',
        'agent-mode',
        'server-url',
        'token-file',
        'token-is-the-one',
      ];
      assertChecks(machine, ['cloud-init-done', 'completed', 'status-ready', ...keys]);
      assert.match(machine.console, /gateway first boot: ready, the agent has joined the cluster/);
    });

    it('has all values as plain text', () => {
      assertChecks(machine, ['node-name', 'words-arrive', 'nothing-executed']);
    });

    it('shows its token nowhere, and keeps pods from the metadata service', () => {
      assertChecks(
        machine,
        ['files-private', 'token-nowhere-else', 'pods-kept-from-metadata'],
        [FIRST, REBOOTED],
      );
    });

    it('reports nothing', () => {
      assert.deepEqual(machine.posts, []);
    });

    it('is a member again after a reboot, without another installation', () => {
      assertChecks(machine, ['agent-active', 'installed-once', 'status-ready', 'no-failed-unit'], REBOOTED);
    });
  });

  describe('a control node whose install script has another checksum', () => {
    let machine: Machine;

    before(async () => {
      source = nodeSource();
      const plan = planOf({ k3s: { ...k3s, installerSha256: '0'.repeat(64) } });
      machine = await bootMachine({
        name: 'refused-installer',
        userData: userDataOf(controlNodeFirstBootData(plan)),
        checks: ['node-functions', 'refused-installer'],
        options: source.options,
      });
    });
    after(() => source.remove());

    it('does not run it', () => {
      assertChecks(machine, ['nothing-installed']);
    });

    it('reports the failure with its reason', () => {
      const [report] = reportsOf(machine);
      assert.deepEqual([machine.posts.length, report?.success, report?.plugin_status], [1, false, {}]);
      assert.match(
        report?.error ?? '',
        /^stage download: the install script has the SHA-256 [0-9a-f]{64}, but 0{64}/,
      );
    });

    it('shows the reason on the machine, which stays reachable', () => {
      assertChecks(machine, [
        'cloud-init-error',
        'status-failed',
        'reason-in-status',
        'reason-in-log',
        'ssh-answers',
      ]);
      assert.match(machine.console, /gateway first boot: FAILED at stage download: the install script/);
    });
  });
});
