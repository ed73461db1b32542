import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, statSync } from 'node:fs';
import type { BuilderPlan } from '@gateway/cloud-init';
import { GuestSandbox } from '../packages/cloud-init/guest-sandbox.ts';
import { builder } from '../packages/cloud-init/plan.ts';
import { testReceiver } from '../packages/cloud-init/receiver.ts';

const share = '/var/lib/gateway/share';
const token = 'tok\\en"of the\u00e9 report';

describe('a builder', function () {
  this.timeout(120_000);
  const receiver = testReceiver();
  let guest: GuestSandbox | undefined;

  afterEach(() => guest?.remove());

  function guestOf(plan: Partial<BuilderPlan>, fakePrograms: Record<string, string> = {}): GuestSandbox {
    const report = { url: receiver.url, token, caCertificate: null };
    guest = new GuestSandbox(builder({ report, ...plan }), fakePrograms);
    return guest;
  }

  it('fills its share, reports the manifest and powers off', async () => {
    const guest = guestOf({
      packages: ['numpy==2.1', 'x; python_version > "3"'],
      commands: [
        'mkdir "$GATEWAY_SHARE/bin/a b"; umask 077; echo 1 > "$GATEWAY_SHARE/bin/a b/-c"',
        'echo 2 > "$GATEWAY_SHARE/bin/two"',
      ],
    });

    await guest.boot();

    const [final] = receiver.finals;
    const sums = guest.read(`${share}/SHA256SUMS`) ?? '';
    assert.deepEqual(
      { ...final, log_tail: '', manifest: { ...final?.manifest, built_at: '' } },
      {
        token: token.replace('\u00e9', ''),
        success: true,
        stage: 'done',
        log_tail: '',
        manifest: {
          library: 'arrays',
          version: '2.1',
          built_at: '',
          files: 4,
          checksum: createHash('sha256').update(sums).digest('hex'),
          packages: [],
        },
      },
    );
    assert.match(final?.manifest?.built_at ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const check = spawnSync('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], {
      cwd: guest.path(share),
    });
    assert.equal(check.status, 0, String(check.stderr));
    assert.deepEqual(readdirSync(guest.path(share)).sort(), [
      '.gateway-manifest.json',
      'SHA256SUMS',
      'bin',
      'python',
      'python-packages',
    ]);
    assert.equal(statSync(guest.path(`${share}/bin/a b/-c`)).mode & 0o777, 0o644);
    assert.equal(JSON.parse(guest.read('/var/lib/gateway/first-boot/status.json') ?? '').result, 'ready');
    assert.match(
      guest.read('/systemctl.log') ?? '',
      /stop var-lib-gateway-share\.mount\n(is-.*\n)?poweroff\n$/,
    );
  });

  it('leaves alone what the file server has put on the share', async () => {
    const ofServer = ['lost+found', '.etc', '.fast-remove', '.snapshot', '.snapshots', '.zfs'].map(
      (name) => `${share}/${name}/daily/file`,
    );
    const guest = guestOf({
      commands: [
        'umask 077; cd "$GATEWAY_SHARE"; mkdir bin/.snapshot; touch bin/.snapshot/own; ln -s none link',
      ],
    });
    for (const path of ofServer) {
      guest.write(path, 'of the server');
      chmodSync(guest.path(path), 0o600);
    }
    guest.write(`${share}/left-over`, '');

    await guest.boot();

    assert.equal(receiver.finals[0]?.error, undefined);
    for (const path of ofServer) assert.equal(statSync(guest.path(path)).mode & 0o777, 0o600, path);
    assert.match(guest.read(`${share}/SHA256SUMS`) ?? '', /^[0-9a-f]{64} {2}bin\/\.snapshot\/own\n$/);
    assert.equal(statSync(guest.path(`${share}/bin/.snapshot/own`)).mode & 0o777, 0o644);
    assert.equal(guest.read(`${share}/left-over`), null);
  });

  it('reports library and version exactly as in the catalogue', async () => {
    const library = { id: 'arrays', version: '2.2\u00a0– "stable" \\ größer' };

    await guestOf({ library }).boot();

    assert.equal(receiver.finals[0]?.manifest?.version, library.version);
  });

  it('uses only options of the oldest supported pip, and not /tmp', async () => {
    const options = 'no-input|no-cache-dir|disable-pip-version-check|upgrade|constraint|target';
    const guest = guestOf(
      { packages: ['numpy'], constraints: ['numpy==2.1'] },
      {
        pip3: `
          printf '%s\\n' "$TMPDIR $PIP_ROOT_USER_ACTION" >> "$guest/pip.log"
          for word; do
              [ "$word" != -- ] || exit 0
              [[ $word != --* || $word =~ ^--(${options})$ ]] || { echo "no such option: $word"; exit 2; }
          done`,
      },
    );

    await guest.boot();

    assert.equal(receiver.finals[0]?.error, undefined);
    assert.equal(guest.read('/pip.log'), '/var/tmp ignore\n');
  });

  it('reports the installed packages, also those of its commands', async () => {
    const guest = guestOf(
      {
        packages: ['numpy'],
        commands: [
          packageCommand(
            'old-style.egg-info/PKG-INFO',
            'Metadata-Version: 1.0\\nName: Old.Style\\nVersion: 1!2.0\\n',
          ),
          packageCommand('single.egg-info', 'Name: single\\nVersion: 3\\n'),
        ],
      },
      {
        pip3: installing(
          'numpy-2.1.dist-info',
          'Metadata-Version: 2.1\\r\\nName: numpy \\r\\nVersion: 2.1+local\\r\\n\\r\\nName: not-me\\r\\nVersion: 9\\r\\n',
        ),
      },
    );

    await guest.boot();

    assert.equal(receiver.finals[0]?.error, undefined);
    assert.deepEqual(receiver.finals[0]?.manifest?.packages, [
      'Old.Style==1!2.0',
      'numpy==2.1+local',
      'single==3',
    ]);
    const manifest = JSON.parse(guest.read(`${share}/.gateway-manifest.json`) ?? '');
    assert.deepEqual(manifest, receiver.finals[0]?.manifest);
  });

  const invalidMetadata = {
    'Name: a", "b\\nVersion: 1\\n': 'has no valid name and version',
    'Name: a\\nVersion: 1 2\\n': 'has no valid name and version',
    'Version: 1\\n': 'has no valid name and version',
    '': 'is empty',
  };
  for (const [metadata, reason] of Object.entries(invalidMetadata)) {
    it(`fails on a package with the metadata ${JSON.stringify(metadata)}`, async () => {
      const guest = guestOf({ packages: ['x'] }, { pip3: installing('x.dist-info', metadata) });

      await guest.boot();

      assert.equal(receiver.finals[0]?.stage, 'manifest');
      assert.equal(receiver.finals[0]?.error, `python-packages/x.dist-info/METADATA ${reason}`);
      assert.equal(guest.read(`${share}/.gateway-manifest.json`), null);
    });
  }

  it('fails on more packages than can be recorded', async () => {
    const many =
      'cd "$GATEWAY_SHARE/python-packages"; for i in {1..1001}; do echo "Name: p$i" > $i.egg-info; echo "Version: 1" >> $i.egg-info; done';
    const guest = guestOf({ commands: [many] });

    await guest.boot();

    assert.equal(receiver.finals[0]?.error, 'the library contains more than 1000 packages');
  });

  it('installs with the versions that its dependencies contain', async () => {
    const guest = guestOf(
      { packages: ['numpy', 'six'], constraints: ['numpy==2.1', 'wheel==0.45'] },
      {
        pip3: `
          while [ "$#" -gt 0 ] && [ "$1" != --constraint ]; do shift; done
          cp "$2" "$guest/constraints.log"`,
      },
    );

    await guest.boot();

    assert.equal(receiver.finals[0]?.error, undefined);
    assert.equal(guest.read('/constraints.log'), 'numpy==2.1\nwheel==0.45\n');
  });

  it('reports each stage, and periodically within a stage', async () => {
    const guest = guestOf({ commands: ['i=0; while [ $((i += 1)) -lt 60 ]; do sleep 1; done'] });

    await guest.boot();

    const stages = receiver.reports.filter(({ success }) => success === undefined).map(({ stage }) => stage);
    assert.ok(stages.filter((stage) => stage === 'commands').length >= 2, stages.join());
    assert.equal(receiver.finals.length, 1);
    assert.equal(receiver.reports.at(-1)?.success, true);
  });

  it('sends valid JSON of limited size, whatever the log contains', async () => {
    const nasty = String.raw`printf '\\" \\\\ \t \033[31m \0 \377\376 \r50%%\r100%% done $(reboot) \xe2\x82 %%s\n'; printf '\303\251%.0s' {1..9000}; printf '\n"}{"\\u0000\n' >&2; false`;
    const guest = guestOf({ commands: [nasty] });

    await guest.boot();

    const [final] = receiver.finals;
    assert.equal(final?.success, false);
    assert.equal(final?.error, String.raw`"}{"\u0000`);
    assert.match(final?.log_tail ?? '', /\n"}\{"\\u0000\n/);
    assert.ok(receiver.reports.every(({ log_tail }) => log_tail.length <= 4000));
    assert.ok(receiver.bodies.every((body) => /^[\n\x20-\x7e]*$/.test(body)));
    assert.equal(
      JSON.parse(guest.read('/var/lib/gateway/first-boot/status.json') ?? '').reason,
      final?.error,
    );
  });

  it('reports the stage and the last message of a failure', async () => {
    const guest = guestOf({
      commands: ['echo fine', 'echo "no such thing" >&2; exit 124', 'touch "$GATEWAY_SHARE/never"'],
    });

    const { output } = await guest.boot();

    const [final] = receiver.finals;
    assert.deepEqual(
      { ...final, log_tail: '', token: '' },
      { token: '', success: false, stage: 'commands', error: 'no such thing', log_tail: '' },
    );
    assert.match(final?.log_tail ?? '', /stage commands\ncommand 01\nfine\ncommand 02\nno such thing\n/);
    assert.match(output, /^gateway first boot: FAILED at stage commands: no such thing, see /);
    assert.equal(guest.read(`${share}/never`), null);
    assert.equal(guest.read(`${share}/.gateway-manifest.json`), null);
    assert.match(
      guest.read('/systemctl.log') ?? '',
      /stop var-lib-gateway-share\.mount\n(is-.*\n)?poweroff\n$/,
    );
  });

  it('reports only the last state of an overwritten progress line', async () => {
    const guest = guestOf({ commands: ["printf '10%%\\r50%%\\r100%% done\\r\\n'; false"] });

    await guest.boot();

    assert.equal(receiver.finals[0]?.error, '100% done');
    assert.match(receiver.finals[0]?.log_tail ?? '', /command 01\n100% done\n/);
  });

  it('stops a command at its first failure, pipe failure or unset variable', async () => {
    for (const command of ['false | true', 'echo "$unset"', 'false\ntrue']) {
      guestOf({ commands: [command] });
      await guest?.boot();
      guest?.remove();
    }

    assert.deepEqual(
      receiver.finals.map(({ success }) => success),
      [false, false, false],
    );
  });

  it('fails if the image has another Python version than the library requires', async () => {
    const guest = guestOf({ pythonVersion: '2.7' });

    await guest.boot();

    assert.match(
      receiver.finals[0]?.error ?? '',
      /^the library requires Python 2\.7, but this image has Python 3/,
    );
    assert.equal(receiver.finals[0]?.stage, 'tools');
  });

  it('reports why the share could not be mounted', async () => {
    const guest = guestOf(
      {},
      {
        systemctl:
          'case "$1 $2" in "start var-lib-gateway-share.mount") exit 1 ;; esac; printf "%s\\n" "$*" >> "$guest/systemctl.log"',
      },
    );

    await guest.boot();

    assert.equal(receiver.finals[0]?.stage, 'share');
    assert.equal(receiver.finals[0]?.error, 'mount.nfs: access denied by server');
    assert.ok(guest.read('/systemctl.log')?.endsWith('poweroff\n'));
  });

  it('repeats the final report until it is accepted, then powers off', async () => {
    const states: (string | null)[] = [];
    const answers = [503, 429, 500, 200];
    const guest = guestOf({});
    receiver.answer = ({ success }) => {
      if (success === undefined) return 503;
      states.push(guest.read('/systemctl.log')?.match(/poweroff/)?.[0] ?? null);
      return answers.shift() ?? 500;
    };

    await guest.boot();

    assert.deepEqual(states, [null, null, null, null]);
    assert.equal(new Set(receiver.bodies.filter((body) => body.includes('"success"'))).size, 1);
    assert.match(guest.read('/systemctl.log') ?? '', /poweroff\n$/);
  });

  it('builds even without responses, and powers off at its time limit', async () => {
    const guest = guestOf({ timeLimitSeconds: 60 });
    await receiver.close();

    await guest.boot();

    assert.notEqual(guest.read(`${share}/.gateway-manifest.json`), null);
    assert.match(guest.read('/systemctl.log') ?? '', /poweroff\n$/);
    await receiver.open();
  });

  it('stops reporting once a report is refused, and powers off', async () => {
    receiver.answer = () => 403;
    const guest = guestOf({ commands: ['i=0; while [ $((i += 1)) -lt 60 ]; do sleep 1; done'] });

    await guest.boot();

    assert.equal(receiver.reports.length - receiver.finals.length, 1);
    assert.equal(receiver.finals.length, 1);
    assert.match(guest.read('/systemctl.log') ?? '', /poweroff\n$/);
  });

  it('fails at its time limit', async () => {
    const guest = guestOf({ timeLimitSeconds: 1, commands: ['echo begun; exec /bin/sleep 30'] });

    await guest.boot();

    assert.equal(receiver.finals[0]?.success, false);
    assert.equal(receiver.finals[0]?.error, 'the build exceeded the time limit of 1 s');
  });

  it('does not mistake a changed clock for an exceeded time limit', async () => {
    const clockSet = 'echo 1 > "$GATEWAY_SHARE/../first-boot/ends_at"';
    const guest = guestOf({ commands: [clockSet, 'echo "no such thing" >&2; exit 3'] });

    await guest.boot();

    assert.equal(receiver.finals[0]?.error, 'no such thing');
  });

  it('sends the same report when it is started again', async () => {
    const guest = guestOf({ commands: ['echo x >> "$GATEWAY_SHARE/../runs"'] });
    await guest.boot();

    await guest.boot();

    assert.equal(receiver.finals.length, 2);
    assert.deepEqual(receiver.finals[1], receiver.finals[0]);
    assert.equal(guest.read('/var/lib/gateway/runs'), 'x\n');
  });

  it('starts again after an interrupted boot, without a final report', async () => {
    const guest = guestOf({
      commands: ['touch "$GATEWAY_SHARE/left-over"', 'test -e "$GATEWAY_SHARE/../again"'],
    });
    guest.write('/system-state', 'stopping');
    await guest.boot();
    assert.equal(receiver.finals.length, 0);
    guest.write('/system-state', 'running');
    guest.write(`${share}/from-the-first`, '');
    guest.write('/var/lib/gateway/again', '');

    await guest.boot();

    assert.equal(receiver.finals[0]?.success, true);
    assert.equal(guest.read(`${share}/from-the-first`), null);
  });

  it('does not build again if the share is complete', async () => {
    const guest = guestOf({ commands: ['echo x >> "$GATEWAY_SHARE/../runs"'] });
    await guest.boot();
    const before = guest.read(`${share}/.gateway-manifest.json`);
    guest.write('/var/lib/gateway/first-boot/status.json', '');
    spawnSync('rm', [guest.path('/var/lib/gateway/first-boot/final-report.json')]);

    await guest.boot();

    assert.equal(guest.read('/var/lib/gateway/runs'), 'x\n');
    assert.deepEqual(receiver.finals[1]?.manifest, JSON.parse(before ?? ''));
  });

  it("uses its token only in bodies and root's files", async () => {
    const guest = guestOf({});

    await guest.boot();

    const part = 'en"of the';
    assert.ok(receiver.reports.every((report) => report.token.includes(part)));
    assert.ok(guest.read('/curl.log')?.includes('http://127.0.0.1'));
    assert.equal(guest.read('/curl.log')?.includes('of the'), false);
    assert.equal(guest.read('/var/log/gateway-first-boot.log')?.includes('of the'), false);
    assert.equal(statSync(guest.path('/var/lib/gateway/first-boot/final-report.json')).mode & 0o777, 0o600);
  });
});

/** A pip3 that installs one package with this metadata, a format of printf. */
function installing(folder: string, metadata: string): string {
  return `
    while [ "$1" != --target ]; do shift; done
    mkdir -p "$2/${folder}"
    printf '${metadata}' > "$2/${folder}/METADATA"`;
}

/** A command that writes the metadata of a package, a format of printf. */
function packageCommand(path: string, metadata: string): string {
  return `mkdir -p "$GATEWAY_SHARE/python-packages/$(dirname ${path})"; printf '${metadata}' > "$GATEWAY_SHARE/python-packages/${path}"`;
}
