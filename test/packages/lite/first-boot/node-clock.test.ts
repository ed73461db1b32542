import assert from 'node:assert/strict';
import { IMAGE_SETTINGS } from '@gateway/cloud-init';
import type { GuestSandbox } from '../../cloud-init/guest-sandbox.ts';
import { controlNode, filesOf } from '../../cloud-init/plan.ts';
import { testReceiver } from '../../cloud-init/receiver.ts';
import { agentGuest, controlNodeGuest, reportsTo } from './node-sandbox.ts';

const NINE_HOURS = 9 * 3600;

describe('the clock of a node', function () {
  this.timeout(120_000);
  const receiver = testReceiver();
  let guest: GuestSandbox;

  afterEach(() => guest?.remove());

  /** What `timedatectl` prints, from its call of this number on. */
  function setByTimeServer(fromCall: number): void {
    guest.write(
      '/bin/timedatectl',
      `#!/bin/bash
      echo >> ${guest.folder}/looks
      [ "$(wc -l < ${guest.folder}/looks)" -ge ${fromCall} ] && echo yes || echo no`,
    );
  }

  function wasInstalled(): boolean {
    return guest.read('/installer-runs') !== null;
  }

  it('is awaited until a time server has set it', async () => {
    guest = controlNodeGuest(receiver);
    setByTimeServer(5);
    receiver.clockAheadSeconds = () => -NINE_HOURS;

    assert.equal((await guest.boot()).status, 0);
    assert.equal(reportsTo(receiver)[0]?.success, true);
    assert.ok((guest.read('/looks')?.length ?? 0) >= 5);
  });

  it('is awaited until it is that of the gateway', async () => {
    guest = controlNodeGuest(receiver);
    setByTimeServer(Number.MAX_SAFE_INTEGER);
    let asked = 0;
    receiver.clockAheadSeconds = () => (++asked < 4 ? NINE_HOURS : 1);

    assert.equal((await guest.boot()).status, 0);
    assert.equal(asked, 4);
    assert.equal(reportsTo(receiver)[0]?.success, true);
  });

  it('that stays wrong ends a control node with this reason', async () => {
    guest = controlNodeGuest(receiver);
    setByTimeServer(Number.MAX_SAFE_INTEGER);
    receiver.clockAheadSeconds = () => -NINE_HOURS;

    assert.equal((await guest.boot()).status, 1);

    assert.match(
      reportsTo(receiver)[0]?.error ?? '',
      /^stage clock: the clock is 3240\d s fast, and no time server has set it \(none is configured\)$/,
    );
    assert.equal(wasInstalled(), false);
  });

  it('that stays wrong ends an agent with this reason', async () => {
    // Only the host of the API server answers in this sandbox.
    const failureReport = { url: receiver.url, token: 'token', caCertificate: null };
    guest = agentGuest(receiver, { failureReport });
    setByTimeServer(Number.MAX_SAFE_INTEGER);
    guest.write('/var/lib/cloud/data/instance-id', 'nocloud\n');
    guest.write(
      '/bin/curl',
      `#!/bin/bash
      case "$*" in *"--head "*) LC_ALL=C date --utc --date '+${NINE_HOURS} seconds' '+Date: %a, %d %b %Y %T GMT' ;;
      *) exec env -u BASH_ENV PATH="\${PATH#*:}" curl "$@" ;; esac`,
    );

    await guest.boot();

    assert.match(
      receiver.bodies[0] ?? '',
      /stage clock: the clock is 3\d{4} s slow, and no time server has set it/,
    );
    assert.equal(wasInstalled(), false);
  });

  it('may be right if nothing can be compared with it', async () => {
    guest = controlNodeGuest(receiver);
    setByTimeServer(Number.MAX_SAFE_INTEGER);
    receiver.clockAheadSeconds = () => Number.NaN;

    await guest.boot();

    assert.equal(wasInstalled(), true);
  });

  it('has the time servers of the configuration in the plan', () => {
    const settings = { ...IMAGE_SETTINGS, ntpServers: ['ntp1.example', '192.0.2.1'] };
    const plan = filesOf(controlNode(), settings).get('/etc/gateway/first-boot/plan');

    assert.match(plan ?? '', /\ntime_server ntp1\.example\ntime_server 192\.0\.2\.1\n/);
  });
});
