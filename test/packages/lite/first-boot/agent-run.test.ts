import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import type { GuestSandbox } from '../../cloud-init/guest-sandbox.ts';
import { agentNode } from '../../cloud-init/plan.ts';
import { testReceiver } from '../../cloud-init/receiver.ts';
import { agentGuest, logFile } from './node-sandbox.ts';

const status = '/var/lib/gateway/first-boot/status.json';
/** What commands, their environment and the result show. */
const shownFiles = [
  '/curl.log',
  '/k3s.log',
  '/systemctl.log',
  '/installer-environment',
  '/installer-arguments',
  status,
];

describe('an agent', function () {
  this.timeout(120_000);
  const receiver = testReceiver();
  let guest: GuestSandbox;

  afterEach(() => guest.remove());

  it('installs the agent with its arguments and joins', async () => {
    guest = agentGuest(receiver, { agentArguments: ['--node-label', "a=b c'$(reboot)%h"] });

    const { status: exit, output } = await guest.boot();

    assert.equal(exit, 0);
    assert.equal(output, 'gateway first boot: ready, the agent has joined the cluster\n');
    assert.deepEqual(guest.read('/installer-environment')?.trimEnd().split('\n'), [
      ...['agent', 'v1.36.1+k3s1', 'true', '', ''],
      ...['https://10.0.0.5:6443', '/etc/gateway/first-boot/join-token', 'none'].map((text) =>
        text.replace('/etc', guest.path('/etc')),
      ),
    ]);
    assert.deepEqual(guest.read('/installer-arguments')?.trimEnd().split('\n'), [
      ...['--node-name', 'c1-agent-1', '--node-label', 'a=b\\x20c\\x27$$\\x28reboot\\x29%%h'],
    ]);
    assert.match(guest.read('/systemctl.log') ?? '', /start --no-block k3s-agent\.service\n/);
    assert.equal(JSON.parse(guest.read(status) ?? '').result, 'ready');
    assert.deepEqual(receiver.bodies, [], 'it reports nothing to the gateway');
  });

  it('gives k3s the id of its machine, or leaves the argument out', async () => {
    const agentArguments = ['--a=1', '--id=openstack:///@INSTANCE_ID@', '--b=2'];
    const id = '7b2c0c1e-41d1-4f22-8333-9a4455556666';
    for (const [written, expected] of [
      [`${id}\n`, ['--a=1', `--id=openstack:///${id}`, '--b=2']],
      [id, ['--a=1', `--id=openstack:///${id}`, '--b=2']],
      ['nocloud\n', ['--a=1', '--b=2']],
      [null, ['--a=1', '--b=2']],
    ] as const) {
      guest?.remove();
      guest = agentGuest(receiver, { agentArguments });
      if (written !== null) guest.write('/var/lib/cloud/data/instance-id', written);

      await guest.boot();

      const [, , ...found] = guest.read('/installer-arguments')?.trimEnd().split('\n') ?? [];
      assert.deepEqual(found, expected, String(written));
    }
  });

  it('has its token only in a file that only root can read', async () => {
    guest = agentGuest(receiver);

    const { output } = await guest.boot();

    const file = '/etc/gateway/first-boot/join-token';
    assert.equal(guest.read(file), `${agentNode().token}\n`);
    assert.equal(statSync(guest.path(file)).isFile(), true);
    const shown = shownFiles.map((path) => guest.read(path)).join('\n');
    assert.ok(![shown, output, guest.read('/var/log/gateway-first-boot.log')].join().includes('c2VjcmV0'));
  });

  it('keeps the credentials of mirrors out of logs and arguments', async () => {
    guest = agentGuest(receiver, {
      k3s: {
        ...agentNode().k3s,
        installerUrl: `${receiver.origin}/install`,
        registries: [{ name: 'docker.io', endpoint: 'https://mirror.example.org', rewrite: [] }],
      },
      registryCredentials: [{ host: 'mirror.example.org', username: 'nodes', password: 'mirror-password' }],
    });

    const { output, status: exit } = await guest.boot();

    assert.equal(exit, 0);
    assert.match(guest.read('/etc/rancher/k3s/registries.yaml') ?? '', /"password": "mirror-password"/);
    const shown = shownFiles.map((path) => guest.read(path)).join('\n');
    assert.ok(
      ![shown, output, guest.read('/var/log/gateway-first-boot.log')].join().includes('mirror-password'),
    );
  });

  it('waits until it has joined', async () => {
    guest = agentGuest(receiver);
    guest.write(
      '/bin/systemctl',
      `#!/bin/bash
      echo "$*" >> ${guest.folder}/systemctl.log
      [ "$1" != is-active ] || [ "$(grep --count is-active ${guest.folder}/systemctl.log)" -ge 5 ]`,
    );

    assert.equal((await guest.boot()).status, 0);
    assert.equal(guest.read('/systemctl.log')?.match(/is-active/g)?.length, 5);
  });

  it("fails with k3s's last message without joining, and retries when booted", async () => {
    guest = agentGuest(receiver);
    guest.write('/not-joined', '');

    const first = await guest.boot();
    const second = await guest.boot();

    for (const { status: exit, output } of [first, second]) {
      assert.equal(exit, 1);
      assert.match(output, /FAILED at stage join: k3s: an unknown option/);
    }
    assert.equal(guest.read('/installer-runs'), 'installed\n');
    assert.equal(JSON.parse(guest.read(status) ?? '').result, 'failed');
  });

  describe('that reports failures', () => {
    const machineId = '7b2c0c1e-41d1-4f22-8333-9a4455556666';
    const failureReport = () => ({ url: receiver.url, token: 'ZmFpbHVyZQ', caCertificate: null });
    const failure = {
      token: 'ZmFpbHVyZQ',
      server_id: machineId,
      error: 'stage join: k3s: an unknown option',
    };

    beforeEach(() => {
      guest = agentGuest(receiver, { failureReport: failureReport() });
      guest.write('/var/lib/cloud/data/instance-id', `${machineId}\n`);
      guest.write('/not-joined', '');
    });

    it('reports its failure once, and does not repeat accepted work', async () => {
      assert.equal((await guest.boot()).status, 1);
      assert.deepEqual(
        receiver.bodies.map((body) => JSON.parse(body)),
        [failure],
      );
      const calls = guest.read('/systemctl.log');

      assert.equal((await guest.boot()).status, 0);

      assert.deepEqual(
        receiver.bodies.map((body) => JSON.parse(body)),
        [failure, failure],
      );
      assert.equal(guest.read('/systemctl.log'), calls);
    });

    it('sends the same report until the gateway answers', async () => {
      const statuses = [503, 500, 200];
      receiver.answer = () => statuses.shift() ?? 200;

      await guest.boot();

      assert.equal(receiver.bodies.length, 3);
      assert.equal(new Set(receiver.bodies).size, 1);
    });

    it('repeats the work at the next boot if nobody waits for it', async () => {
      receiver.answer = () => 403;
      await guest.boot();
      guest.unlink('/not-joined');

      const { status: exit, output } = await guest.boot();

      assert.equal(exit, 0);
      assert.match(output, /gateway first boot: ready, the agent has joined the cluster/);
    });

    it('reports nothing when the machine shuts down, or has joined', async () => {
      guest.write('/system-state', 'stopping\n');
      const { output } = await guest.boot();
      assert.doesNotMatch(output, /FAILED/);
      guest.unlink('/system-state');
      guest.unlink('/not-joined');

      assert.equal((await guest.boot()).status, 0);

      assert.deepEqual(receiver.bodies, []);
    });

    it('has the token of its report in one file only', async () => {
      await guest.boot();

      const shown = [...shownFiles, logFile].map((path) => guest.read(path)).join('\n');
      assert.ok(!shown.includes('ZmFpbHVyZQ'));
      assert.equal(statSync(guest.path('/var/lib/gateway/first-boot/final-report.json')).mode & 0o77, 0);
    });
  });

  it('does nothing at later boots', async () => {
    guest = agentGuest(receiver);
    await guest.boot();
    const calls = guest.read('/systemctl.log');

    const { status: exit, output } = await guest.boot();

    assert.deepEqual([exit, output], [0, '']);
    assert.equal(guest.read('/systemctl.log'), calls);
    assert.equal(JSON.parse(guest.read(status) ?? '').result, 'ready');
  });

  it('runs no install script with another checksum than the configured one', async () => {
    const installerUrl = `${receiver.origin}/install`;
    guest = agentGuest(receiver, {
      k3s: { ...agentNode().k3s, installerUrl, installerSha256: 'a'.repeat(64) },
    });

    const { output } = await guest.boot();

    assert.match(output, /FAILED at stage download: the install script has the SHA-256/);
    assert.equal(guest.read('/installer-runs'), null);
  });
});
