import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import type { GuestSandbox } from '../../cloud-init/guest-sandbox.ts';
import { controlNode } from '../../cloud-init/plan.ts';
import { testReceiver } from '../../cloud-init/receiver.ts';
import {
  accessConfig,
  callbackToken,
  certificateHash,
  controlNodeGuest,
  finalBodies,
  installerOf,
  logFile,
  plugins,
  reportsTo,
  resultOf,
  statusFile,
} from './node-sandbox.ts';

describe('a control node', function () {
  this.timeout(120_000);
  const receiver = testReceiver();
  let guest: GuestSandbox;

  afterEach(() => guest.remove());

  it('reports what gives access to the cluster', async () => {
    guest = controlNodeGuest(receiver);

    const { status: exit, output } = await guest.boot();

    const agentToken = guest.read('/etc/rancher/k3s/agent-token');
    assert.match(agentToken ?? '', /^[0-9a-f]{64}$/);
    assert.deepEqual(reportsTo(receiver), [
      {
        token: callbackToken,
        success: true,
        kubeconfig: accessConfig.replace('127.0.0.1', '10.0.0.5').trimEnd(),
        node_token: `K10${certificateHash}::node:${agentToken}`,
        server_ip: '10.0.0.5',
        k3s_version: 'v1.36.1+k3s1',
        plugin_status: {},
        plugin_pods: {},
        error: null,
      },
    ]);
    assert.equal(exit, 0);
    assert.equal(output, 'gateway first boot: ready, the control node is set up\n');
    assert.equal(resultOf(guest).result, 'ready');
  });

  it('installs the configured release with its arguments, and then starts it', async () => {
    const channelUrl = 'http://mirror/channels';
    const artifactUrl = 'http://mirror/files';
    guest = controlNodeGuest(receiver, {
      k3s: { ...controlNode().k3s, installerUrl: `${receiver.origin}/install`, channelUrl, artifactUrl },
      tlsSans: ['203.0.113.9'],
      serverArguments: ['--disable', 'traefik'],
    });

    await guest.boot();

    assert.deepEqual(guest.read('/installer-environment')?.trimEnd().split('\n'), [
      ...['server', 'v1.36.1+k3s1', 'true', channelUrl, artifactUrl],
      ...['none', 'none', 'none'],
    ]);
    assert.equal(
      guest.read('/installer-arguments')?.trimEnd().split('\n').join(' '),
      '--node-name c1-server --write-kubeconfig-mode 600 --agent-token-file /etc/rancher/k3s/agent-token --tls-san 203.0.113.9 --disable traefik',
    );
    assert.match(guest.read('/systemctl.log') ?? '', /\nstart --no-block k3s\.service\n/);
  });

  it('names an IPv6 address in the configuration file as a URL does', async () => {
    guest = controlNodeGuest(receiver, { address: '2001:db8::5' });

    await guest.boot();

    const [report] = reportsTo(receiver);
    assert.match(report?.kubeconfig ?? '', /^ {4}server: https:\/\/\[2001:db8::5\]:6443$/m);
    assert.equal(report?.server_ip, '2001:db8::5');
  });

  it('applies the plugins one after another, and continues after a failed one', async () => {
    guest = controlNodeGuest(receiver, { plugins });

    const { status: exit } = await guest.boot();

    assert.deepEqual(reportsTo(receiver)[0]?.plugin_status, {
      first: 'deployed',
      bad_one: 'failed',
      third: 'deployed',
    });
    assert.equal(reportsTo(receiver)[0]?.success, true);
    assert.equal(exit, 0);
    const applied = guest.read('/k3s.log')?.match(/[a-z_]+(?=-manifests\.yaml)/g) ?? [];
    assert.deepEqual([...new Set(applied)], ['first', 'bad_one', 'third']);
    assert.ok(applied.length > 5, 'the failed one was retried');
  });

  it('waits for the plugins, and reports the pods of failed ones', async () => {
    const workload = (kind: string, name: string) => ({ kind, name, app: name });
    guest = controlNodeGuest(receiver, {
      plugins: [
        {
          key: 'good',
          manifests: 'kind: A\n',
          workloads: [workload('DaemonSet', 'agents'), workload('Job', 'copy')],
        },
        {
          key: 'bad',
          manifests: 'kind: B\n',
          workloads: [workload('Deployment', 'fine'), workload('Deployment', 'unavailable')],
        },
      ],
    });
    const pods = [{ phase: 'Pending', containerStatuses: [{ name: 'driver' }] }];
    guest.write('/pods.json', JSON.stringify(pods, null, 4));

    await guest.boot();

    const [report] = reportsTo(receiver);
    assert.deepEqual(report?.plugin_status, { good: 'deployed', bad: 'failed' });
    assert.deepEqual(report?.plugin_pods, { bad: pods });
    const calls = guest.read('/k3s.log') ?? '';
    assert.match(calls, /^kubectl --namespace kube-system rollout status daemonset\/agents --timeout=\d+s$/m);
    assert.match(
      calls,
      /^kubectl --namespace kube-system wait --for=condition=complete job\/copy --timeout=/m,
    );
    assert.match(calls, / get pods --selector app in \(fine,unavailable\) /);
  });

  it('has deployed no plugin whose program keeps crashing', async () => {
    const workloads = [{ kind: 'Deployment', name: 'crashing', app: 'crashing' }];
    guest = controlNodeGuest(receiver, { plugins: [{ key: 'one', manifests: 'kind: A\n', workloads }] });

    await guest.boot();

    assert.deepEqual(reportsTo(receiver)[0]?.plugin_status, { one: 'failed' });
    assert.deepEqual(reportsTo(receiver)[0]?.plugin_pods, { one: [] });
  });

  it('reports its stages, and does not repeat lost ones', async () => {
    const installer = 'while [ ! -e "$guest/seen" ]; do /bin/sleep 0.05; done\n';
    guest = controlNodeGuest(receiver, {}, installer);
    receiver.answer = (report) => {
      if (report.success !== undefined) return 200;
      if (report.stage === 'install') guest.write('/seen', '');
      return 503;
    };

    await guest.boot();

    const stages = receiver.reports.filter(({ success }) => success === undefined);
    assert.ok(stages.some(({ stage }) => stage === 'install'));
    assert.equal(new Set(stages.map(({ stage }) => stage)).size, stages.length);
    for (const { token } of stages) assert.equal(token, callbackToken);
    assert.deepEqual(
      reportsTo(receiver).map(({ success }) => success),
      [true],
    );
  });

  it("shows kubectl's output only to root, because it may quote secrets", async () => {
    guest = controlNodeGuest(receiver, { plugins });

    const { output } = await guest.boot();

    const file = '/var/lib/gateway/first-boot/plugins/bad_one.log';
    assert.match(guest.read(file) ?? '', /kubectl-secret/);
    assert.equal(statSync(guest.path(file)).mode & 0o777, 0o600);
    const shown = [guest.read(logFile), guest.read(statusFile), output, ...receiver.bodies].join('\n');
    assert.doesNotMatch(shown, /kubectl-secret/);
    assert.match(shown, /plugin bad_one: failed/);
  });

  it('runs an install script only if it has the configured checksum', async () => {
    const k3s = controlNode().k3s;
    const installerUrl = `${receiver.origin}/install`;
    guest = controlNodeGuest(receiver, { k3s: { ...k3s, installerUrl, installerSha256: '0'.repeat(64) } });
    const found = createHash('sha256').update(installerOf(guest)).digest('hex');

    const { status: exit, output } = await guest.boot();

    const [report] = reportsTo(receiver);
    const reason = `the install script has the SHA-256 ${found}, but ${'0'.repeat(64)} is configured`;
    assert.deepEqual(
      { ...report, token: '' },
      {
        ...{ token: '', success: false, server_ip: '10.0.0.5', plugin_status: {} },
        error: `stage download: ${reason}`,
      },
    );
    assert.equal(guest.read('/installer-runs'), null);
    assert.equal(exit, 1);
    assert.match(output, /^gateway first boot: FAILED at stage download: the install script/);
    assert.deepEqual(
      [resultOf(guest).result, resultOf(guest).stage, resultOf(guest).reason],
      ['failed', 'download', reason],
    );
  });

  it('accepts an install script with the configured checksum', async () => {
    guest = controlNodeGuest(receiver);
    const installerSha256 = createHash('sha256').update(installerOf(guest)).digest('hex');
    guest.write(
      '/etc/gateway/first-boot/plan',
      `${guest.read('/etc/gateway/first-boot/plan')}installer_sha256 ${installerSha256}\n`,
    );

    await guest.boot();

    assert.equal(reportsTo(receiver)[0]?.success, true);
  });

  it('downloads the install script again after a failure', async () => {
    guest = controlNodeGuest(receiver);
    const { download } = receiver;
    let requests = 0;
    receiver.download = (path) => {
      requests += 1;
      return requests < 4 ? null : download(path);
    };

    await guest.boot();

    assert.equal(requests, 4);
    assert.equal(reportsTo(receiver)[0]?.success, true);
  });

  it('reports why the install script could not be downloaded', async () => {
    guest = controlNodeGuest(receiver);
    receiver.download = () => null;

    await guest.boot();

    assert.match(reportsTo(receiver)[0]?.error ?? '', /^stage download: .*404/);
  });

  it('reports why the installation failed', async () => {
    guest = controlNodeGuest(receiver, {}, 'echo "[ERROR]  no such release" >&2; exit 1\n');

    await guest.boot();

    assert.equal(reportsTo(receiver)[0]?.error, 'stage install: [ERROR]  no such release');
    assert.doesNotMatch(guest.read('/systemctl.log') ?? '', /start --no-block k3s/);
  });

  it('reports the last message of k3s if its API does not answer', async () => {
    guest = controlNodeGuest(receiver);
    guest.write('/api-down', '');

    await guest.boot();

    assert.equal(reportsTo(receiver)[0]?.error, 'stage k3s: k3s: an unknown option');
  });

  it('reports that it exceeded its time limit', async () => {
    guest = controlNodeGuest(receiver, { timeLimitSeconds: 1 }, 'exec /bin/sleep 30\n');

    await guest.boot();

    // On a busy machine the second may be over before the installer runs.
    const [report] = reportsTo(receiver);
    assert.match(
      report?.error ?? '',
      /^stage (?:tools|download|install): the control node was not set up within 1 s$/,
    );
  });

  it('has skipped only plugins when their time is over', async () => {
    guest = controlNodeGuest(receiver, { timeLimitSeconds: 60, plugins });

    await guest.boot();

    assert.deepEqual(reportsTo(receiver)[0]?.plugin_status, {
      first: 'failed',
      bad_one: 'failed',
      third: 'failed',
    });
    assert.equal(reportsTo(receiver)[0]?.success, true);
  });

  it('fails if the token of k3s does not identify the certificate authority', async () => {
    guest = controlNodeGuest(receiver);
    guest.write('/var/lib/rancher/k3s/server/token', 'plain-token\n');

    await guest.boot();

    assert.equal(
      reportsTo(receiver)[0]?.error,
      'stage report: the token of k3s has no hash of the certificate authority',
    );
    assert.doesNotMatch(receiver.bodies.join(), /plain-token/);
  });

  it('continues an interrupted boot at its plugin, with its agent token', async () => {
    guest = controlNodeGuest(receiver, { plugins: plugins.filter(({ key }) => key !== 'bad_one') });
    guest.write('/system-state', 'stopping');
    await guest.boot();
    assert.deepEqual(finalBodies(receiver), []);
    const agentToken = guest.read('/etc/rancher/k3s/agent-token') ?? '';
    guest.write('/system-state', 'running');
    guest.write('/k3s.log', '');
    guest.write('/var/lib/gateway/first-boot/plugins/first', 'deployed\n');
    rmSync(guest.path('/var/lib/gateway/first-boot/plugins/third'));

    await guest.boot();

    assert.deepEqual(guest.read('/k3s.log')?.match(/[a-z_]+(?=-manifests\.yaml)/g), ['third']);
    assert.equal(guest.read('/installer-runs'), 'installed\n');
    assert.ok(reportsTo(receiver)[0]?.node_token?.endsWith(agentToken));
    assert.deepEqual(reportsTo(receiver)[0]?.plugin_status, { first: 'deployed', third: 'deployed' });
  });

  it('keeps pods from the metadata service before k3s starts', async () => {
    guest = controlNodeGuest(receiver);

    await guest.boot();

    const calls = guest.read('/systemctl.log') ?? '';
    const guarded = calls.indexOf('start --no-block gateway-pod-metadata.service');
    assert.ok(guarded >= 0 && guarded < calls.indexOf('start --no-block k3s.service'), calls);
    assert.match(calls, /enable --quiet gateway-pod-metadata\.service/);
  });
});
