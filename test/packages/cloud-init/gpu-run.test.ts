import assert from 'node:assert/strict';
import { GuestSandbox } from './guest-sandbox.ts';
import { plain } from './plan.ts';

const plan = plain({ gpu: { driverPackages: ['some-driver=570.1', 'some-tools'] } });
const statusPath = '/var/lib/gateway/first-boot/status.json';

/** Of a system with packages like Debian's, where these are installed. */
function standIns(installed: string[], install: string): Record<string, string> {
  return {
    'apt-get': `printf '%s\\n' "$*" >> "$guest/apt.log"; ${install}`,
    'dpkg-query': `case " ${installed.join(' ')} " in *" \${!#} "*) printf installed ;; *) exit 1 ;; esac`,
  };
}

describe('an instance with a GPU', function () {
  this.timeout(60_000);
  let guest: GuestSandbox;

  afterEach(() => guest.remove());

  it('installs the packages of the driver together', async () => {
    guest = new GuestSandbox(plan, standIns([], ''));

    const { status, output } = await guest.boot();

    assert.equal(status, 0);
    assert.match(guest.read('/apt.log') ?? '', /^install .* -- some-driver=570\.1 some-tools\n$/);
    assert.equal(output, 'gateway first boot: ready\n');
  });

  it('sees first of all that the next boot makes good what becomes of this one, also after a power cut', async () => {
    guest = new GuestSandbox(plan, standIns([], 'cp "$guest/systemctl.log" "$guest/done-before.log"'));

    await guest.boot();

    assert.equal(guest.read('/done-before.log'), 'enable --quiet gateway-first-boot.service\nsync\n');
  });

  it('installs only those that are missing, so that none is replaced', async () => {
    guest = new GuestSandbox(plan, standIns(['some-driver'], ''));

    await guest.boot();

    assert.match(guest.read('/apt.log') ?? '', / -- some-tools\n$/);
  });

  it('leaves a machine alone that has a driver', async () => {
    guest = new GuestSandbox(plan, { ...standIns([], ''), 'nvidia-smi': '' });

    assert.equal((await guest.boot()).status, 0);
    assert.equal(guest.read('/apt.log'), null);
  });

  it('tries again, with fresh lists of packages', async () => {
    const install = '[ "$1" = update ] || [ "$(grep -c ^install "$guest/apt.log")" -ge 3 ]';
    guest = new GuestSandbox(plan, standIns([], install));

    assert.equal((await guest.boot()).status, 0);
    assert.match(guest.read('/apt.log') ?? '', /^install.*\nupdate.*\ninstall.*\ninstall.*\n$/);
  });

  it('finishes first what a power cut left half installed', async () => {
    const install = `[ -e "$guest/finished" ] || { echo 'E: dpkg was interrupted' >&2; exit 100; }`;
    const dpkg = '[ "$*" = "--configure --pending" ] && touch "$guest/finished"';
    guest = new GuestSandbox(plan, { ...standIns([], install), dpkg });

    assert.equal((await guest.boot()).status, 0);
  });

  it('tells why a driver could not be installed, and fails', async () => {
    const install = 'echo \'E: Unable to locate "some-driver"\' >&2; exit 100';
    guest = new GuestSandbox(plan, standIns([], install));

    const { status, output } = await guest.boot();

    assert.notEqual(status, 0);
    assert.match(
      output,
      /^gateway first boot: FAILED at stage gpu: E: Unable to locate "some-driver", see \/.*\n$/,
    );
    const { result, stage, reason } = JSON.parse(guest.read(statusPath) ?? '');
    assert.deepEqual(
      { result, stage, reason },
      { result: 'failed', stage: 'gpu', reason: 'E: Unable to locate "some-driver"' },
    );
    assert.equal(guest.read('/dev/console'), output);
  });
});
