import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import type { GuestSandbox } from '../../cloud-init/guest-sandbox.ts';
import { testReceiver } from '../../cloud-init/receiver.ts';
import {
  accessConfig,
  callbackToken,
  controlNodeGuest,
  finalBodies,
  logFile,
  plugins,
  reportsTo,
  resultOf,
  statusFile,
} from './node-sandbox.ts';

describe('the report of a control node', function () {
  this.timeout(120_000);
  const receiver = testReceiver();
  let guest: GuestSandbox;

  afterEach(() => guest.remove());

  it('sends valid JSON, whatever the files contain', async () => {
    guest = controlNodeGuest(receiver);
    const nasty = 'x: "\\" \\\\ \t\u001b[31m $(reboot) `id` größe \u2028 \'\n}{,\r\n';
    guest.write('/etc/rancher/k3s/k3s.yaml', `${nasty}${accessConfig}`);

    await guest.boot();

    const lines = reportsTo(receiver)[0]?.kubeconfig?.split('\n');
    assert.deepEqual(lines?.slice(0, 2), ['x: "\\" \\\\ \t[31m $(reboot) `id` gre  \'', '}{,']);
  });

  it('repeats the same report until it is accepted', async () => {
    guest = controlNodeGuest(receiver);
    const answers = [503, 500, 429, 400, 200];
    receiver.answer = ({ success }) => (success === undefined ? 200 : (answers.shift() ?? 500));

    await guest.boot();

    assert.equal(finalBodies(receiver).length, 5);
    assert.equal(new Set(finalBodies(receiver)).size, 1);
    assert.equal(resultOf(guest).result, 'ready');
  });

  it('keeps no secret once accepted, and does nothing at later boots', async () => {
    guest = controlNodeGuest(receiver);
    const folder = '/var/lib/gateway/first-boot';
    let mode = 0;
    receiver.answer = ({ success }) => {
      if (success === undefined) return 200;
      mode = statSync(guest.path(`${folder}/final-report.json`)).mode & 0o777;
      return 200;
    };
    await guest.boot();

    const { status: exit, output } = await guest.boot();

    assert.deepEqual([exit, output, finalBodies(receiver).length], [0, '', 1]);
    assert.equal(mode, 0o600);
    for (const file of ['final-report.json', 'access.json', 'final-report.json.new']) {
      assert.equal(guest.read(`${folder}/${file}`), null, file);
    }
    assert.equal(guest.read('/etc/gateway/first-boot/report-token'), null);
    assert.match(guest.read('/systemctl.log') ?? '', /disable --quiet gateway-first-boot\.service\n$/);
    assert.equal(resultOf(guest).result, 'ready');
  });

  it('stops when the report is refused, and keeps no secret of it', async () => {
    guest = controlNodeGuest(receiver);
    receiver.answer = ({ success }) => (success === undefined ? 200 : 403);

    const { status: exit } = await guest.boot();

    assert.equal(exit, 1);
    assert.equal(finalBodies(receiver).length, 1);
    assert.deepEqual(
      [resultOf(guest).result, resultOf(guest).reason],
      ['failed', 'the gateway refused the report'],
    );
    assert.equal(guest.read('/etc/gateway/first-boot/report-token'), null);
    assert.equal(guest.read('/var/lib/gateway/first-boot/final-report.json'), null);
  });

  it('is repeated unchanged after a power failure, without repeated work', async () => {
    guest = controlNodeGuest(receiver, { plugins });
    const powerFailure = new AbortController();
    receiver.answer = ({ success }) => {
      if (success !== undefined) powerFailure.abort();
      return 503;
    };
    await guest.boot(powerFailure.signal);
    const calls = guest.read('/k3s.log');
    receiver.answer = () => 200;

    await guest.boot();

    assert.equal(finalBodies(receiver).length, 2);
    assert.equal(new Set(finalBodies(receiver)).size, 1);
    assert.equal(guest.read('/k3s.log'), calls);
    assert.equal(guest.read('/installer-runs'), 'installed\n');
    assert.equal(resultOf(guest).result, 'ready');
  });

  it('repeats its failure at the next boot after a power failure', async () => {
    guest = controlNodeGuest(receiver, {}, 'echo "no such release"; exit 1\n');
    const powerFailure = new AbortController();
    receiver.answer = ({ success }) => {
      if (success !== undefined) powerFailure.abort();
      return 503;
    };
    await guest.boot(powerFailure.signal);
    receiver.answer = () => 200;

    const { output } = await guest.boot();

    assert.equal(new Set(finalBodies(receiver)).size, 1);
    assert.match(output, /FAILED at stage install: no such release/);
    assert.deepEqual(
      [resultOf(guest).result, resultOf(guest).stage, resultOf(guest).reason],
      ['failed', 'install', 'no such release'],
    );
  });

  it("uses secrets only in bodies and root's files", async () => {
    guest = controlNodeGuest(receiver, { plugins });

    await guest.boot();

    const agentToken = guest.read('/etc/rancher/k3s/agent-token') ?? '';
    assert.equal(statSync(guest.path('/etc/rancher/k3s/agent-token')).mode & 0o777, 0o600);
    const shown = [
      '/curl.log',
      '/k3s.log',
      '/systemctl.log',
      logFile,
      statusFile,
      '/installer-environment',
      '/installer-arguments',
    ]
      .map((path) => guest.read(path))
      .join('\n');
    for (const secret of [callbackToken, agentToken, 'servers-only']) {
      assert.ok(secret !== '' && !shown.includes(secret), secret);
    }
    assert.doesNotMatch(receiver.bodies.join(), /servers-only/);
  });
});
