import assert from 'node:assert/strict';
import type { VerifierPlan } from '@gateway/cloud-init';
import { GuestSandbox } from './guest-sandbox.ts';
import { verifier } from './plan.ts';
import { Receiver } from './receiver.ts';

/** Acts as an interpreter that imports everything but `broken`. */
const fakePython = `
    if [ "$1" = -c ]; then echo "$guest/workspace/python 3.11.9"; exit; fi
    shift
    separator='['
    for name; do
        printf '%s{"name":"%s","version":"1","imported":true,"error":null}' "$separator" "$name"
        separator=,
    done
    echo ']'`;

/** Runs the program without its login shell, and without changing the user, which only root can. */
const fakePrograms = {
  python3: fakePython,
  setpriv: `
    while [ "$1" != env ]; do printf '%s\\n' "$1" >> "$guest/setpriv.log"; shift; done
    while [ "$1" != bash ]; do shift; done
    shift 5
    exec "$@"`,
  install: 'shift $(($# - 1)); mkdir -p "$1"',
};

describe('a verifier', function () {
  this.timeout(120_000);
  let receiver: Receiver;
  let guest: GuestSandbox | undefined;

  beforeEach(async () => {
    receiver = new Receiver();
    await receiver.open();
  });
  afterEach(async () => {
    guest?.remove();
    await receiver.close();
  });

  function guestOf(plan: Partial<VerifierPlan>, workspace = '', programs = {}): GuestSandbox {
    const report = { url: receiver.url, token: 'token', caCertificate: null };
    guest = new GuestSandbox(verifier({ report, ...plan }), { ...fakePrograms, ...programs });
    // Only a real machine has a disk for the workspace.
    guest.write(
      '/usr/local/lib/gateway/workspace.sh',
      `set_up_workspace() { start_stage layers; ${workspace} start_stage workspace; }\n`,
    );
    return guest;
  }

  it('imports the packages as an ordinary user, reports them and powers off', async () => {
    const guest = guestOf({ pythonVersion: '3.11', imports: ['numpy', 'six'] });

    await guest.boot();

    const [final] = receiver.finals;
    assert.equal(final?.error, undefined);
    assert.deepEqual(
      { ...final, log_tail: '' },
      {
        token: 'token',
        success: true,
        stage: 'done',
        packages: ['numpy', 'six'].map((name) => ({ name, version: '1', imported: true, error: null })),
        log_tail: '',
      },
    );
    assert.match(guest.read('/setpriv.log') ?? '', /--reuid=65534/);
    assert.match(guest.read('/systemctl.log') ?? '', /poweroff\n$/);
  });

  it('needs no Python for a library without packages', async () => {
    await guestOf({}, '', { setpriv: 'exit 127' }).boot();

    const { success, packages } = receiver.finals[0] ?? assert.fail('no report');
    assert.deepEqual([success, packages], [true, []]);
  });

  it('fails if users do not get the interpreter of the library', async () => {
    await guestOf({ pythonVersion: '3.12', imports: ['numpy'] }).boot();

    const [final] = receiver.finals;
    assert.deepEqual([final?.success, final?.stage], [false, 'imports']);
    assert.match(final?.error ?? '', /^python3 is that of .* 3\.11\.9, not Python 3\.12 of /);
  });

  it('reports the stage and the reason of a failed mount', async () => {
    await guestOf({ imports: ['numpy'] }, 'echo "mount.nfs: access denied"; return 1;').boot();

    const [final] = receiver.finals;
    assert.deepEqual(
      [final?.success, final?.stage, final?.error],
      [false, 'layers', 'mount.nfs: access denied'],
    );
  });
});
