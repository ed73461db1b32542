import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import { createAuthority, issueForClient } from '../../../../apps/cloudsim/src/guest/kubernetes/authority.ts';
import { nextToken } from '../../../support/next-token.ts';
import type { GuestSandbox } from '../../cloud-init/guest-sandbox.ts';
import { agentNode, controlNode, filesOf, setting } from '../../cloud-init/plan.ts';
import { Receiver } from '../../cloud-init/receiver.ts';
import { agentGuest, controlNodeGuest } from './node-sandbox.ts';

const program = '/usr/local/sbin/gateway-certificates';
const statusDir = '/var/lib/gateway/first-boot';
const serverDir = '/var/lib/rancher/k3s/server/tls';
const agentDir = '/var/lib/rancher/k3s/agent';
const clusterId = '0a1b2c3d-0000-4000-8000-000000000001';
const token = `${clusterId}.${'a1'.repeat(32)}`;
const DAY_MS = 86_400_000;

interface KubeconfigReport {
  token: string;
  kubeconfig: string;
}

/** A certificate that ends in so many days. */
async function certificateFor(days: number): Promise<string> {
  const authority = await createAuthority('k3s-client-ca@1');
  const notAfter = new Date(Date.now() + days * DAY_MS);
  const validity = { notBefore: new Date(notAfter.getTime() - 365 * DAY_MS), notAfter };
  return (await issueForClient(authority, { name: 'system:admin' }, validity)).certificate;
}

describe('the certificates of a node of a cluster', function () {
  this.timeout(120_000);
  let receiver: Receiver;
  let guest: GuestSandbox;

  beforeEach(async () => {
    receiver = new Receiver();
    await receiver.open();
  });
  afterEach(async () => {
    guest.remove();
    await receiver.close();
  });

  const restarts = (unit: string) =>
    (guest.read('/systemctl.log') ?? '').split('\n').filter((line) => line === `restart ${unit}`).length;

  /** An installed agent whose certificates end in so many days. */
  async function agentWith(days: number): Promise<void> {
    guest = agentGuest(receiver);
    guest.write(`${statusDir}/completed`, '');
    guest.write(`${agentDir}/client-kubelet.crt`, await certificateFor(400));
    guest.write(`${agentDir}/serving-kubelet.crt`, await certificateFor(days));
  }

  async function run(): Promise<string> {
    const { status, output } = await guest.run(program);
    assert.equal(status, 0, output);
    return output;
  }

  it('are renewed by a restart within 60 days of their end', async () => {
    await agentWith(59);

    assert.match(await run(), /serving-kubelet\.crt ends soon/);

    assert.equal(restarts('k3s-agent.service'), 1);
  });

  it('are renewed after their end', async () => {
    await agentWith(-30);

    await run();

    assert.equal(restarts('k3s-agent.service'), 1);
  });

  it('are left alone before', async () => {
    await agentWith(61);

    assert.equal(await run(), '');

    assert.equal(restarts('k3s-agent.service'), 0);
  });

  it('are no reason for a restart if of an authority, or unreadable', async () => {
    await agentWith(100);
    guest.write(`${agentDir}/server-ca.crt`, await certificateFor(1));
    guest.write(`${agentDir}/client-ca.nochain.crt`, await certificateFor(1));
    guest.write(`${agentDir}/client-other.crt`, 'half a certificate');

    await run();

    assert.equal(restarts('k3s-agent.service'), 0);
  });

  it('cause one restart a week if k3s does not renew them', async () => {
    await agentWith(5);
    await run();

    assert.match(await run(), /was restarted in the last week/);
    assert.equal(restarts('k3s-agent.service'), 1);
    const before = (Date.now() - 8 * DAY_MS) / 1000;
    utimesSync(guest.path(`${statusDir}/restarted-for-certificates`), before, before);
    await run();

    assert.equal(restarts('k3s-agent.service'), 2);
  });

  it('are left to an agent that waits for its control node', async () => {
    await agentWith(5);
    guest.write('/not-joined', '');

    await run();

    assert.equal(restarts('k3s-agent.service'), 0);
  });

  it('are left alone before the end of the first boot', async () => {
    await agentWith(5);
    guest.unlink(`${statusDir}/completed`);

    await run();

    assert.equal(restarts('k3s-agent.service'), 0);
  });
});

describe('the configuration file of a control node', function () {
  this.timeout(120_000);
  const k3sYaml = '/etc/rancher/k3s/k3s.yaml';
  let receiver: Receiver;
  let guest: GuestSandbox;

  beforeEach(async () => {
    receiver = new Receiver();
    await receiver.open();
    guest = controlNodeGuest(receiver, {
      renewal: { url: receiver.url, token },
      plugins: [{ key: 'identity_auth', manifests: 'kind: A\n', workloads: [] }],
    });
    guest.write(`${statusDir}/completed`, '');
    guest.write(`${serverDir}/client-admin.crt`, await certificateFor(300));
    guest.write(`${serverDir}/server-ca.crt`, await certificateFor(1));
    guest.write(`${agentDir}/serving-kubelet.crt`, await certificateFor(300));
    machineIs('one');
    fileIs('first');
  });
  afterEach(async () => {
    guest.remove();
    await receiver.close();
  });

  function machineIs(id: string): void {
    guest.write('/sys/class/dmi/id/product_uuid', `${id}\n`);
  }

  function fileIs(text: string): void {
    guest.write(k3sYaml, `# ${text} "quoted"\n    server: https://127.0.0.1:6443\n`);
  }

  const reports = () => receiver.bodies.map((body) => JSON.parse(body) as KubeconfigReport);
  const reportedFile = (text: string) => `# ${text} "quoted"\n    server: https://10.0.0.5:6443`;

  async function run(): Promise<string> {
    const { status, output } = await guest.run(program);
    assert.equal(status, 0, output);
    return output;
  }

  function aged(file: string, days: number): void {
    const at = (Date.now() - days * DAY_MS) / 1000;
    utimesSync(guest.path(`${statusDir}/${file}`), at, at);
  }

  it('is reported once, with the address of the cluster', async () => {
    await run();
    await run();

    assert.deepEqual(reports(), [{ token, kubeconfig: reportedFile('first') }]);
    assert.doesNotMatch(guest.read('/curl.log') ?? '', /a1a1/, 'no secret is an argument');
  });

  it('is reported again when k3s has renewed it, with the next token', async () => {
    await run();
    fileIs('second');

    await run();

    assert.deepEqual(reports().at(-1), { token: nextToken(token), kubeconfig: reportedFile('second') });
  });

  it('is reported after a restart that has renewed it', async () => {
    await run();
    guest.write(`${serverDir}/client-admin.crt`, await certificateFor(59));
    const systemctl = guest.read('/bin/systemctl') ?? '';
    const renewed = `printf '# renewed\\n    server: https://127.0.0.1:6443\\n' > "$guest${k3sYaml}"`;
    guest.write('/bin/systemctl', `${systemctl}case $1 in restart) ${renewed} ;; esac\n`);

    await run();

    assert.match(guest.read('/systemctl.log') ?? '', /^restart k3s\.service$/m);
    assert.equal(reports().at(-1)?.kubeconfig, '# renewed\n    server: https://10.0.0.5:6443');
  });

  it('is repeated after a week, for a gateway that was restored', async () => {
    await run();
    aged('reported-kubeconfig', 8);

    await run();

    assert.deepEqual(
      reports().map(({ token: used }) => used),
      [token, nextToken(token)],
    );
  });

  it('is reported by a later run if the gateway was unavailable', async () => {
    receiver.answer = () => 503;
    await run();
    const [lost] = receiver.bodies;
    fileIs('second');
    receiver.bodies.length = 0;
    receiver.answer = () => 200;

    await run();

    assert.equal(receiver.bodies[0], lost, 'the gateway may have accepted it');
    assert.deepEqual(reports().at(-1), { token: nextToken(token), kubeconfig: reportedFile('second') });
  });

  it('is replaced by a newer one if it is not accepted', async () => {
    receiver.answer = () => 409;
    await run();
    fileIs('second');
    receiver.bodies.length = 0;
    receiver.answer = () => 200;

    await run();

    assert.deepEqual(reports(), [{ token, kubeconfig: reportedFile('second') }]);
  });

  it('is not sent twice in one run if the token is refused', async () => {
    receiver.answer = () => 403;

    assert.match(await run(), /the gateway refused the report/);

    assert.equal(receiver.bodies.length, 1);
  });

  it('is not reported by a machine made from a snapshot', async () => {
    await run();
    machineIs('two');
    fileIs('second');

    assert.match(await run(), /belongs to another machine/);

    assert.equal(receiver.bodies.length, 1);
  });

  it('brings a restart of the webhook whose certificate was renewed', async () => {
    const restarts = () =>
      (guest.read('/k3s.log') ?? '').match(/rollout restart daemonset k8s-keystone-auth/g);
    await run();
    await run();
    assert.equal(restarts()?.length, 1);
    guest.write(`${agentDir}/serving-kubelet.crt`, await certificateFor(300));

    await run();

    assert.equal(restarts()?.length, 2);
  });
});

describe('the timers of the nodes', () => {
  const timerOf = (plan: Parameters<typeof filesOf>[0]) =>
    filesOf(plan).get('/etc/systemd/system/gateway-certificates.timer');

  it('run every day at different times, also after a missed time', () => {
    const times = [controlNode(), agentNode()].map((plan) => setting(timerOf(plan), 'OnCalendar'));

    assert.deepEqual(times, ['*-*-* 00:00', '*-*-* 04:00']);
    for (const plan of [controlNode(), agentNode()]) {
      assert.equal(setting(timerOf(plan), 'Persistent'), 'true');
    }
  });
});
