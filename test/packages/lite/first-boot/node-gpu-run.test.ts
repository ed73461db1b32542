import assert from 'node:assert/strict';
import type { GuestSandbox } from '../../cloud-init/guest-sandbox.ts';
import { testReceiver } from '../../cloud-init/receiver.ts';
import { agentGuest, controlNodeGuest, logFile, reportsTo, resultOf } from './node-sandbox.ts';

const gpu = { driverPackages: ['some-driver'], toolkitPackages: ['some-toolkit'] };

/** Prints what the file `smi-fails` contains, or lists a card. */
const smi = 'cat "$guest/smi-fails" 2> /dev/null || { echo "GPU 0: A100"; echo smi >> "$guest/calls"; }';

/** The programs of a system like Debian, whose packages bring their commands. */
const programs = {
  'apt-get': `
    printf 'apt-get %s\\n' "$*" >> "$guest/calls"
    [ "$1" = update ] || [ ! -e "$guest/no-packages" ] || { echo "E: Unable to locate package \${!#}"; exit 100; }
    case $* in
        *some-driver*) printf '#!/bin/bash\\nguest=%s\\n%s\\n' "$guest" '${smi}' > "$guest/bin/nvidia-smi"
            chmod +x "$guest/bin/nvidia-smi" ;;
        *some-toolkit*) [ -e "$guest/empty-package" ] || install -m 755 /dev/null "$guest/bin/nvidia-container-runtime" ;;
    esac`,
  'dpkg-query': 'exit 1',
  modprobe: 'printf "modprobe %s\\n" "$*" >> "$guest/calls"',
};

describe('a node with GPUs', function () {
  this.timeout(120_000);
  const receiver = testReceiver();
  let guest: GuestSandbox;

  afterEach(() => guest.remove());

  function agent(plan: Parameters<typeof agentGuest>[1] = { gpu }): GuestSandbox {
    return prepared(agentGuest(receiver, plan, 'echo "install k3s" >> "$guest/calls"'));
  }

  function prepared(sandbox: GuestSandbox): GuestSandbox {
    for (const [name, body] of Object.entries(programs)) {
      sandbox.write(`/bin/${name}`, `#!/bin/bash\nguest=${sandbox.folder}\n${body}\n`);
    }
    return sandbox;
  }

  /** What was called, in order, without the options of apt-get. */
  function calls(): string[] {
    const lines = guest.read('/calls')?.trimEnd().split('\n') ?? [];
    return lines.map((line) => line.replace(/^apt-get install .* -- /, 'install '));
  }

  it('installs driver and container runtime before k3s', async () => {
    guest = agent();

    const { status, output } = await guest.boot();

    assert.equal(status, 0, output);
    assert.deepEqual(calls(), [
      'install some-driver',
      'modprobe nvidia',
      'smi',
      'install some-toolkit',
      'install k3s',
    ]);
  });

  it('installs nothing that the image has', async () => {
    guest = agent();
    guest.write('/bin/nvidia-smi', `#!/bin/bash\nguest=${guest.folder}\n${smi}\n`);
    guest.write('/bin/nvidia-container-runtime', '');

    assert.equal((await guest.boot()).status, 0);
    assert.deepEqual(calls(), ['modprobe nvidia', 'smi', 'install k3s']);
  });

  it('installs and checks nothing without packages', async () => {
    guest = agent({ gpu: { driverPackages: [], toolkitPackages: [] } });

    assert.equal((await guest.boot()).status, 0);
    assert.deepEqual(calls(), ['install k3s']);
  });

  it('fails before k3s with the reason, and repeats the work when booted', async () => {
    guest = agent();
    guest.write('/no-packages', '');

    const { status, output } = await guest.boot();

    assert.equal(status, 1);
    assert.match(
      output,
      /FAILED at stage gpu: the GPU driver could not be installed: E: Unable to locate package some-driver, see /,
    );
    assert.equal(guest.read('/dev/console'), output);
    assert.ok(!calls().includes('install k3s'));

    guest.unlink('/no-packages');
    assert.equal((await guest.boot()).status, 0);
    assert.equal(calls().at(-1), 'install k3s');
  });

  it('fails if the installed driver does not find a card', async () => {
    guest = agent();
    guest.write('/smi-fails', 'No devices found.\n');

    assert.equal((await guest.boot()).status, 1);
    assert.equal(resultOf(guest).reason, 'the GPU driver does not work: No devices found.');
    assert.ok(!calls().includes('install k3s'));
  });

  it('fails if the packages do not bring the container runtime', async () => {
    guest = agent();
    guest.write('/empty-package', '');

    assert.equal((await guest.boot()).status, 1);
    assert.match(
      resultOf(guest).reason,
      /^the container runtime .* not be installed: the command nvidia-container-runtime does not exist/,
    );
  });

  it('reports the failure to the gateway if it is a control node', async () => {
    guest = prepared(controlNodeGuest(receiver, { gpu }));
    guest.write('/no-packages', '');

    await guest.boot();

    const [report] = reportsTo(receiver);
    assert.equal(report?.success, false);
    assert.equal(
      report?.error,
      'stage gpu: the GPU driver could not be installed: E: Unable to locate package some-driver',
      guest.read(logFile) ?? '',
    );
  });
});
