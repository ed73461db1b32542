import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { nodeUpgradeCommand } from '@gateway/lite';
import { eventually } from '../../../support/eventually.ts';
import { GuestSandbox } from '../../cloud-init/guest-sandbox.ts';
import { agentNode } from '../../cloud-init/plan.ts';
import { Receiver } from '../../cloud-init/receiver.ts';
import { installerOf } from './node-sandbox.ts';

const OLD = 'v1.35.4+k3s1';
const NEW = 'v1.36.1+k3s1';
const state = '/var/lib/gateway/upgrade';
const database = '/var/lib/rancher/k3s/server/db/state.db';
const registriesFile = '/etc/rancher/k3s/registries.yaml';
const unitFile = '/etc/systemd/system/gateway-upgrade.service';

/** The program of a release: its kubelet reports the release, and its server changes the database. */
function k3s(release: string): string {
  return `#!/bin/bash
case "$*" in
    --version) printf 'k3s version ${release} (abcdef)\\ngo version go1.25\\n' ;;
    *) "\${0%/*}/k3s-commands" "$@" ;;
esac
`;
}

/** What the installer of k3s does for the upgrade: it provides the program of the requested release. */
const installer = `
printf '%s\\n' "$INSTALL_K3S_NAME $INSTALL_K3S_EXEC $INSTALL_K3S_SKIP_ENABLE $INSTALL_K3S_SKIP_START" \\
    "$INSTALL_K3S_VERSION" "$INSTALL_K3S_ARTIFACT_URL" "\${HTTPS_PROXY-none}" > "$guest/installer-environment"
[ "$INSTALL_K3S_BIN_DIR" = "$INSTALL_K3S_SYSTEMD_DIR" ] || exit 1
cp "$guest/new-k3s" "$INSTALL_K3S_BIN_DIR/k3s"
chmod 755 "$INSTALL_K3S_BIN_DIR/k3s"
echo run >> "$guest/installer-runs"
`;

const programs = {
  /** k3s runs while the file `running` exists. A file `broken` names the release that does not start. */
  systemctl: `
    printf '%s\\n' "$*" >> "$guest/systemctl.log"
    unit=\${!#}
    case "$1 $unit" in
        'start gateway-upgrade.service')
            kill -0 "$(cat "$guest/service.pid" 2> /dev/null || echo x)" 2> /dev/null && exit
            setsid bash "$guest${state}/run" > "$guest/service.log" 2>&1 < /dev/null & echo $! > "$guest/service.pid" ;;
        show*) kill -0 "$(cat "$guest/service.pid" 2> /dev/null || echo x)" 2> /dev/null && echo activating || echo inactive ;;
        'stop k3s'*) rm -f "$guest/running" ;;
        'start k3s'*)
            release=$("$guest/bin/k3s" --version | awk 'NR == 1 { print $3 }')
            if [ "$unit" = k3s.service ]; then echo "$release" >> "$guest${database}"; fi
            if grep -q broken "$guest${registriesFile}" 2> /dev/null; then exit; fi
            grep -q "^$(cat "$guest/broken" 2> /dev/null || echo none)" <<< "$release" || { echo "$release" > "$guest/kubelet"; touch "$guest/running"; } ;;
        is-active*) [ -e "$guest/running" ] ;;
        is-system-running*) echo running ;;
    esac`,
  'k3s-commands': `
    printf '%s\\n' "$*" >> "$guest/k3s.log"
    case "$*" in
        *--raw*) [ -e "$guest/running" ] ;;
        *'get node lab-1 '*) printf '%s True' "$(cat "$guest/kubelet")" ;;
    esac`,
  journalctl: 'echo "k3s: the database has a newer schema"',
  'boot-k3s': 'systemctl start k3s.service',
  pod: `
    if [ -e "$guest/registries" ]; then export GATEWAY_REGISTRIES="$(cat "$guest/registries")"; fi
    exec bash "$guest/usr/local/start" "$(cat "$guest/usr/local/run")" "$(cat "$guest/unit")" "$(cat "$guest/plan")"`,
};

describe('the upgrade of a node of a cluster', function () {
  this.timeout(120_000);
  let receiver: Receiver;
  let guest: GuestSandbox;

  beforeEach(async () => {
    receiver = new Receiver();
    await receiver.open();
    receiver.download = (path) => (path.startsWith('/install') ? installerOf(guest, installer) : null);
  });
  afterEach(async () => {
    guest.remove();
    await receiver.close();
  });

  function plan({
    role = 'server',
    jobId = 'job-1',
    version = NEW,
    installerSha256 = null as string | null,
  } = {}) {
    const source = { installerUrl: `${receiver.origin}/install`, artifactUrl: 'https://mirror.example/k3s' };
    const k3sSource = { ...agentNode().k3s, ...source, version, installerSha256 };
    const command = nodeUpgradeCommand({ jobId, nodeName: 'lab-1', role: role as 'server', k3s: k3sSource });
    const [start = '', , script = '', unit = '', text = ''] = command.slice(command.indexOf('-c') + 1);
    return { start, script, unit, text };
  }

  /** A node with the old release, and the pod of its upgrade. */
  function node(options: Parameters<typeof plan>[0] = {}): void {
    const { start, script, unit, text } = plan(options);
    guest = new GuestSandbox(
      new Map([
        ['/usr/local/start', start],
        ['/usr/local/run', script],
        ['/unit', unit],
        ['/plan', text],
      ]),
      programs,
    );
    guest.write('/bin/k3s', k3s(OLD));
    guest.write('/new-k3s', k3s(NEW));
    guest.write('/kubelet', `${OLD}\n`);
    guest.write('/running', '');
    guest.write(database, 'objects\n');
    guest.write('/var/lib/rancher/k3s/server/token', 'token\n');
    guest.write('/etc/gateway/first-boot/environment', 'HTTPS_PROXY=http://proxy.example:3128\n');
    guest.write('/etc/systemd/system/k3s.service', 'the unit of k3s\n');
  }

  const runPod = () => guest.run('/bin/pod');
  const releaseOf = (path: string) => /k3s version (\S+)/.exec(guest.read(path) ?? '')?.[1];
  const log = () => (guest.read('/systemctl.log') ?? '').split('\n');

  it('replaces k3s on the control node, with a copy of its database', async () => {
    node();

    const { status, output } = await runPod();

    assert.equal(status, 0, output);
    assert.equal(output.trim().split('\n').at(-1), `k3s ${NEW} is ready`);
    assert.equal(releaseOf('/bin/k3s'), NEW);
    assert.equal(guest.read(database), `objects\n${NEW}\n`);
    assert.equal(guest.read(`${state}/before/db/state.db`), 'objects\n');
    assert.equal(releaseOf(`${state}/before/k3s`), OLD);
    assert.equal(guest.read(`${state}/before/token`), 'token\n');
  });

  it('downloads with the installer, its mirrors and the proxy of the node', async () => {
    node();

    await runPod();

    assert.deepEqual((guest.read('/installer-environment') ?? '').trim().split('\n'), [
      'gateway-upgrade server true true',
      NEW,
      'https://mirror.example/k3s',
      'http://proxy.example:3128',
    ]);
    assert.equal(guest.read('/etc/systemd/system/k3s.service'), 'the unit of k3s\n');
  });

  it('stops k3s only after the download', async () => {
    node({ installerSha256: 'ab'.repeat(32) });

    const { status, output } = await runPod();

    assert.equal(status, 1);
    assert.match(
      output,
      /the download failed: the install script has the SHA-256 \w+, but (ab)+ is configured\n$/,
    );
    assert.ok(!log().some((line) => line.startsWith('stop ')), log().join());
    assert.equal(releaseOf('/bin/k3s'), OLD);
    assert.equal(guest.read('/installer-runs'), null);
  });

  it('refuses a program of another release', async () => {
    node();
    guest.write('/new-k3s', k3s('v1.36.0+k3s1'));

    const { status, output } = await runPod();

    assert.equal(status, 1);
    assert.match(output, /the download failed: the installer did not provide k3s v1\.36\.1\+k3s1\n$/);
    assert.equal(releaseOf('/bin/k3s'), OLD);
  });

  it('puts program and database back if the new release does not start', async () => {
    node();
    guest.write('/broken', NEW);

    const { status, output } = await runPod();

    assert.equal(status, 1);
    assert.match(output, /the release before was put back: k3s: the database has a newer schema\n$/);
    assert.equal(releaseOf('/bin/k3s'), OLD);
    assert.equal(guest.read(database), `objects\n${OLD}\n`);
    assert.notEqual(guest.read('/running'), null);
  });

  it('reports when the release before does not start either', async () => {
    node();
    guest.write('/broken', 'v1');

    const { status, output } = await runPod();

    assert.equal(status, 1);
    assert.match(output, /did not become ready in time, and neither did the release before/);
    assert.equal(releaseOf('/bin/k3s'), OLD);
  });

  describe('on a disk with little room', () => {
    /** Copies that fail: those whose arguments match a pattern, while a condition holds. */
    const failCopies = (pattern: string, condition = 'true') =>
      guest.write(
        '/bin/cp',
        `#!/bin/bash
case "$*" in ${pattern}) if ${condition}; then echo 'cp: no space left' >&2; exit 1; fi ;; esac
exec /usr/bin/cp "$@"
`,
      );

    it('continues with the release before, without the part of a copy', async () => {
      node();
      failCopies('*server/db*before.new');

      const { status, output } = await runPod();

      assert.equal(status, 1);
      assert.match(output, /the copy before the upgrade failed: cp: no space left\n$/);
      assert.equal(guest.read(`${state}/before.new/k3s`), null);
      assert.equal(releaseOf('/bin/k3s'), OLD);
      assert.notEqual(guest.read('/running'), null);
    });

    it('puts the database back in the place of the other', async () => {
      node();
      guest.write('/broken', NEW);
      failCopies('*server/db.new', `[ -e ${guest.path('/var/lib/rancher/k3s/server/db')} ]`);

      const { status, output } = await runPod();

      assert.equal(status, 1);
      assert.match(output, /the release before was put back/);
      assert.equal(releaseOf('/bin/k3s'), OLD);
      assert.equal(guest.read(database), `objects\n${OLD}\n`);
    });

    it('does not leave k3s stopped if nothing can be put back', async () => {
      node();
      guest.write('/broken', NEW);
      failCopies('*before/k3s*');

      const { status, output } = await runPod();

      assert.equal(status, 1);
      assert.match(output, /and neither did the release before: cp: no space left\n$/);
      assert.match(
        log()
          .filter((line) => line.endsWith(' k3s.service'))
          .at(-1) ?? '',
        /^start /,
      );
    });
  });

  it('continues to go back at the next boot after a power failure', async () => {
    node();
    guest.write('/broken', NEW);
    const needle = "'stop k3s'*)";
    const kill = `[ ! -e "$guest${state}/rolling-back" ] || [ -e "$guest/failed" ] || { touch "$guest/failed"; kill -9 "-$(cat "$guest/service.pid")"; }; `;
    guest.write('/bin/systemctl', (guest.read('/bin/systemctl') ?? '').replace(needle, `${needle} ${kill}`));
    assert.equal((await runPod()).status, 1);
    assert.notEqual(guest.read('/failed'), null);
    await guest.run('/bin/boot-k3s');

    const { status, output } = await guest.run(`${state}/run`);

    assert.equal(status, 0, output);
    assert.match(guest.read(`${state}/result`) ?? '', /^failed\n.*the release before was put back/);
    assert.equal(releaseOf('/bin/k3s'), OLD);
    assert.equal(guest.read(database), `objects\n${OLD}\n`);
  });

  it('replaces k3s on an agent', async () => {
    node({ role: 'agent' });

    const { status, output } = await runPod();

    assert.equal(status, 0, output);
    assert.equal(releaseOf('/bin/k3s'), NEW);
    assert.ok(log().includes('stop k3s-agent.service'));
    assert.ok(!log().includes('stop k3s.service'));
    assert.equal(guest.read(`${state}/before/db/state.db`), null);
  });

  it('continues without its pod, and reports the result to the next', async () => {
    node();
    const end = new AbortController();
    const killed = guest.run('/bin/pod', end.signal);
    // From here on the service is a process group of its own.
    await eventually(async () => guest.read(`${state}/log`) !== null);
    end.abort();
    await killed;

    const { status, output } = await runPod();

    assert.equal(status, 0, output);
    assert.equal(releaseOf('/bin/k3s'), NEW);
    assert.equal(guest.read('/installer-runs'), 'run\n');
    assert.equal((await runPod()).status, 0);
    assert.equal(guest.read('/installer-runs'), 'run\n');
  });

  for (const [when, needle] of [
    ['the download', 'echo run >>'],
    ['k3s is stopped', "'stop k3s'*) rm"],
    ['the new release starts', "'start k3s'*)"],
  ] as const) {
    it(`continues at the next boot after a power failure while ${when}`, async () => {
      node();
      const kill = `[ -e "$guest/failed" ] || { touch "$guest/failed"; kill -9 "-$(cat "$guest/service.pid")"; }; `;
      const isInstaller = needle.startsWith('echo');
      const body = isInstaller ? installer.replace(needle, `${kill}\n${needle}`) : installer;
      receiver.download = (path) => (path.startsWith('/install') ? installerOf(guest, body) : null);
      const systemctl = guest.read('/bin/systemctl') ?? '';
      if (!isInstaller)
        guest.write('/bin/systemctl', systemctl.replace(needle, needle.replace(/\) ?/, `) ${kill}`)));
      const pod = runPod();
      await eventually(async () => guest.read('/failed') !== null);
      assert.equal((await pod).status, 1);
      // The machine boots: k3s starts with the program that is there, and the service continues.
      await guest.run('/bin/boot-k3s');

      const { status, output } = await guest.run(`${state}/run`);

      assert.equal(status, 0, output);
      assert.equal(guest.read(`${state}/result`), `succeeded\nk3s ${NEW} is ready\n`);
      assert.equal(releaseOf('/bin/k3s'), NEW);
      assert.match(guest.read(`${state}/before/db/state.db`) ?? '', /^objects\n/);
    });
  }

  it('is continued by the next boot only until it has ended', async () => {
    node();

    await runPod();

    // The service writes its result first.
    const own = await eventually(async () => {
      const lines = log().filter((line) => /^(enable|disable) .*gateway-upgrade/.test(line));
      return lines.length > 1 ? lines : undefined;
    });
    assert.deepEqual(own, [
      'enable --quiet gateway-upgrade.service',
      'disable --quiet gateway-upgrade.service',
    ]);
    assert.match(guest.read(unitFile) ?? '', /^WantedBy=multi-user\.target$/m);
  });

  describe('with mirrors of registries', () => {
    const before = 'mirrors: before\n';

    it('replaces them together with the release, and keeps no second copy', async () => {
      node();
      guest.write(registriesFile, before);
      guest.write('/registries', 'mirrors: new');

      const { status, output } = await runPod();

      assert.equal(status, 0, output);
      assert.equal(releaseOf('/bin/k3s'), NEW);
      assert.equal(guest.read(registriesFile), 'mirrors: new\n');
      assert.equal(statSync(guest.path(registriesFile)).mode & 0o777, 0o600);
      assert.equal(guest.read(`${state}/before/registries.yaml`), before);
      await eventually(async () => guest.read(`${state}/registries`) === null);
      for (const shown of [output, guest.read('/service.log'), log().join('\n')])
        assert.ok(!shown?.includes('mirrors'));
    });

    for (const role of ['server', 'agent'])
      it(`restarts k3s of the same release for changed ones: ${role}`, async () => {
        node({ version: OLD, role });
        guest.write('/registries', 'mirrors: new');

        const { status, output } = await runPod();

        assert.equal(status, 0, output);
        assert.equal(guest.read(registriesFile), 'mirrors: new\n');
        assert.equal(log().filter((line) => /^start --no-block k3s/.test(line)).length, 1);
        assert.deepEqual([releaseOf('/bin/k3s'), guest.read('/installer-runs')], [OLD, null]);
      });

    it('leaves a node alone that has them and the release', async () => {
      node({ version: OLD });
      guest.write(registriesFile, before);
      guest.write('/registries', before.trimEnd());

      const { status, output } = await runPod();

      assert.equal(status, 0, output);
      assert.equal(output.trim().split('\n').at(-1), `k3s ${OLD} is ready`);
      assert.ok(!log().some((line) => line.startsWith('stop ')), log().join());
    });

    it('changes none if the gateway has none', async () => {
      node();
      guest.write(registriesFile, before);

      assert.equal((await runPod()).status, 0);

      assert.equal(guest.read(registriesFile), before);
    });

    for (const file of [before, null])
      it(`puts back what was there if k3s does not start: ${file === null ? 'none' : 'others'}`, async () => {
        node();
        if (file !== null) guest.write(registriesFile, file);
        guest.write('/registries', 'broken');

        const { status, output } = await runPod();

        assert.equal(status, 1, output);
        assert.deepEqual([releaseOf('/bin/k3s'), guest.read(registriesFile)], [OLD, file]);
        assert.notEqual(guest.read('/running'), null);
      });
  });

  it('of another job begins anew', async () => {
    node();
    guest.write('/broken', NEW);
    assert.equal((await runPod()).status, 1);
    guest.unlink('/broken');
    assert.equal((await runPod()).status, 1);
    guest.write('/plan', plan({ jobId: 'job-2' }).text);

    const { status, output } = await runPod();

    assert.equal(status, 0, output);
    assert.equal(releaseOf('/bin/k3s'), NEW);
  });
});
