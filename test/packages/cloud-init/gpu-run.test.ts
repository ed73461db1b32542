import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { GuestSandbox } from './guest-sandbox.ts';
import { plain } from './plan.ts';

const plan = plain({ gpu: { driverPackages: ['some-driver=570.1', 'some-tools'] } });
const statusPath = '/var/lib/gateway/first-boot/status.json';
const bootDir = '/run/gateway/first-boot';

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

  it('is ready at a boot with a full disk', async () => {
    const cp = 'echo "cp: No space left on device" >&2; exit 1';
    guest = new GuestSandbox(plan, { ...fakeApt([], ''), 'nvidia-smi': '', cp });
    guest.write(statusPath, '{"result":"ready","stage":"done"}');
    for (const name of ['log', 'log.new']) {
      symlinkSync('/dev/full', guest.path(`/var/log/gateway-first-boot.${name}`));
    }

    const { status, output } = await guest.boot();

    assert.deepEqual([status, output], [0, 'gateway first boot: ready\n']);
    assert.match(
      guest.read(`${bootDir}/log`) ?? '',
      / stage start\n.* stage gpu\ngateway first boot: ready\n$/,
    );
    assert.equal(JSON.parse(guest.read(`${bootDir}/status.json`) ?? '').result, 'ready');
    assert.equal(guest.read(statusPath), null, 'the copy would be that of the boot before');
  });

  it('says on the console that the work cannot begin', async () => {
    guest = new GuestSandbox(plan);
    guest.write('/var/lib/gateway/first-boot', 'not a folder');

    const { status } = await guest.boot();

    assert.notEqual(status, 0);
    assert.match(
      guest.read('/dev/console') ?? '',
      /^gateway first boot: FAILED at stage start: mkdir: .*exists/,
    );
  });

  it('says so without a log, too', async () => {
    guest = new GuestSandbox(plan);
    guest.write('/run/gateway', 'not a folder');

    const { status } = await guest.boot();

    assert.notEqual(status, 0);
    assert.match(
      guest.read('/dev/console') ?? '',
      /^gateway first boot: FAILED at stage start: the log has no/,
    );
  });
});
