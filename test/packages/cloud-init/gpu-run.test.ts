import assert from 'node:assert/strict';
import { GuestSandbox } from './guest-sandbox.ts';
import { plain } from './plan.ts';

const plan = plain({ gpu: { driverPackages: ['some-driver=570.1', 'some-tools'] } });
const statusPath = '/var/lib/gateway/first-boot/status.json';

/** The programs of a system like Debian with these packages installed. */
function fakeApt(installed: string[], install: string): Record<string, string> {
  return {
    'apt-get': `printf '%s\\n' "$*" >> "$guest/apt.log"; ${install}`,
    'dpkg-query': `case " ${installed.join(' ')} " in *" \${!#} "*) printf installed ;; *) exit 1 ;; esac`,
  };
}

describe('an instance with a GPU', function () {
  this.timeout(120_000);
  let guest: GuestSandbox;

  afterEach(() => guest.remove());

  it('installs the packages of the driver together', async () => {
    guest = new GuestSandbox(plan, fakeApt([], ''));

    const { status, output } = await guest.boot();

    assert.equal(status, 0);
    assert.match(guest.read('/apt.log') ?? '', /^install .* -- some-driver=570\.1 some-tools\n$/);
    assert.equal(output, 'gateway first boot: ready\n');
  });

  it('first enables the work at the next boot, durably', async () => {
    guest = new GuestSandbox(plan, fakeApt([], 'cp "$guest/systemctl.log" "$guest/calls-before.log"'));

    await guest.boot();

    assert.equal(guest.read('/calls-before.log'), 'enable --quiet gateway-first-boot.service\nsync\n');
  });

  it('installs only missing packages, so that none is upgraded', async () => {
    guest = new GuestSandbox(plan, fakeApt(['some-driver'], ''));

    await guest.boot();

    assert.match(guest.read('/apt.log') ?? '', / -- some-tools\n$/);
  });

  it('installs nothing on a machine that has a driver', async () => {
    guest = new GuestSandbox(plan, { ...fakeApt([], ''), 'nvidia-smi': '' });

    assert.equal((await guest.boot()).status, 0);
    assert.equal(guest.read('/apt.log'), null);
  });

  it('retries with updated package lists', async () => {
    const install = '[ "$1" = update ] || [ "$(grep -c ^install "$guest/apt.log")" -ge 3 ]';
    guest = new GuestSandbox(plan, fakeApt([], install));

    assert.equal((await guest.boot()).status, 0);
    assert.match(guest.read('/apt.log') ?? '', /^install.*\nupdate.*\ninstall.*\ninstall.*\n$/);
  });

  it('first completes an installation that a power failure interrupted', async () => {
    const install = `[ -e "$guest/finished" ] || { echo 'E: dpkg was interrupted' >&2; exit 100; }`;
    const dpkg = '[ "$*" = "--configure --pending" ] && touch "$guest/finished"';
    guest = new GuestSandbox(plan, { ...fakeApt([], install), dpkg });

    assert.equal((await guest.boot()).status, 0);
  });

  it('fails and reports why a driver could not be installed', async () => {
    const install = 'echo \'E: Unable to locate "some-driver"\' >&2; exit 100';
    guest = new GuestSandbox(plan, fakeApt([], install));

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
