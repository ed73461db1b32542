import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bootMachine, type Machine } from './machine.ts';
import { describeOnMachine } from './machine-suite.ts';
import { packageSource, tinyRequirement } from './package-source.ts';
import { type Build, Site, type StartedBuild } from './site.ts';

const GOOD = 'tiny';
const BAD = 'broken';
/** So many reports are answered 503: more than there are stages before the failure. */
const REFUSED_REPORTS = 7;

const commands = [
  'test "$(id --user)" = 0\nprintf \'%s\\n\' "#!/bin/sh" "echo told by a command" > "$GATEWAY_SHARE/bin/told"\n',
  'chmod 755 "$GATEWAY_SHARE/bin/told"',
];

interface Report {
  token: string;
  stage: string;
  success?: boolean;
  error?: string;
  log_tail: string;
}

describeOnMachine('a builder of a library', () => {
  let site: Site;

  before(async () => {
    site = await Site.start(
      [
        { id: GOOD, packages: [tinyRequirement], build: { commands } },
        { id: BAD, build: { commands: ['echo "before the end"; ls /no-such-folder'] } },
      ],
      { file_storage: { share_proto: 'NFS' } },
    );
    await site.control.set({ exportPaths: { NFS: '10.0.2.2:/export' } });
  });

  after(() => site?.stop());

  describe('that reaches the gateway', () => {
    let share: string;
    let started: StartedBuild;
    let build: Build;

    before(async () => {
      share = site.folder();
      started = await site.startBuild(GOOD);
      await bootMachine({
        name: 'builder',
        userData: started.userData,
        checks: ['none'],
        switchesOff: true,
        options: [
          ...['--no-vdb', '--nfs-export', share, '--share-rw'],
          ...[...site.gatewayOption, ...packageSource(site.folder())],
        ],
      });
      build = await site.builderIsOff(started);
    });

    it('brings the build to its end, with its log', () => {
      assert.equal(build.status, 'ready', `${build.message}\n${build.log_tail}`);
      assert.match(build.log_tail ?? '', /Successfully installed tiny-library-1\.0/);
    });

    it('leaves the packages, and what the commands made, on the share', () => {
      assert.match(readFileSync(join(share, 'python/tiny_library.py'), 'utf8'), /a tiny library/);
      assert.equal(execFileSync(join(share, 'bin/told'), { encoding: 'utf8' }), 'told by a command\n');
      assert.deepEqual(
        readdirSync(join(share)).filter((name) => name.includes('partial')),
        [],
      );
    });

    it('leaves a manifest and checksums that are right', async () => {
      const sums = readFileSync(join(share, 'SHA256SUMS'), 'utf8');
      execFileSync('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: share });
      const manifest = JSON.parse(readFileSync(join(share, '.gateway-manifest.json'), 'utf8'));
      const checksum = createHash('sha256').update(sums).digest('hex');
      assert.deepEqual(
        [manifest.library, manifest.version, manifest.files, manifest.checksum],
        [GOOD, '1', sums.trim().split('\n').length, checksum],
      );
      assert.match(sums, / bin\/told$/m);
      const { overlay_status, overlay_checksum } = (await site.shareMetadata(started.shareId)) ?? {};
      assert.deepEqual([overlay_status, overlay_checksum], ['ready', checksum]);
    });
  });

  describe('that fails, and is not heard at first', () => {
    let share: string;
    let started: StartedBuild;
    let machine: Machine;
    let reports: Report[];
    let build: Build;

    before(async () => {
      share = site.folder();
      started = await site.startBuild(BAD);
      machine = await bootMachine({
        name: 'builder-fails',
        userData: started.userData,
        checks: ['none'],
        switchesOff: true,
        options: [
          ...['--no-vdb', '--nfs-export', share, '--share-rw', '--http-dir', site.folder()],
          ...['--post-status', [...Array(REFUSED_REPORTS).fill(503), 200].join(',')],
        ],
      });
      reports = machine.posts.map(({ body }) => JSON.parse(body) as Report);
      build = await site.builderIsOff(started);
    });

    it('tells of its stages while it goes on, whatever is answered', () => {
      const stages = reports.filter(({ success }) => success === undefined).map(({ stage }) => stage);
      const known = ['start', 'tools', 'share', 'commands'];
      assert.ok(stages.length > 0);
      assert.deepEqual(
        stages.filter((stage) => !known.includes(stage)),
        [],
      );
    });

    it('repeats its last report until it is taken, and then goes off', () => {
      const last = machine.posts.slice(reports.findIndex(({ success }) => success !== undefined));
      assert.ok(last.length > 1, 'it was told more than once');
      assert.deepEqual(new Set(last.map(({ body }) => body)).size, 1, 'the same each time');
      assert.deepEqual(
        last.map(({ answered }) => answered),
        [...Array(last.length - 1).fill(503), 200],
      );
    });

    it('says what failed, and what came before', () => {
      const { success, stage, error, log_tail: tail } = reports.at(-1) ?? assert.fail('no report');
      assert.deepEqual([success, stage], [false, 'commands']);
      assert.match(error ?? '', /no-such-folder/);
      assert.match(tail, /before the end/);
    });

    it('shows its token to nobody else', () => {
      const { token } = reports.at(-1) ?? assert.fail('no report');
      assert.match(token, /\S{16}/);
      const told = reports.map(({ log_tail }) => log_tail).join('\n');
      assert.ok(![told, machine.console].some((text) => text.includes(token)));
    });

    it('leaves no manifest on the share, so nobody takes it for whole', () => {
      assert.ok(!existsSync(join(share, '.gateway-manifest.json')));
    });

    it('makes the build fail when it has gone off unheard, and nothing of it stays', async () => {
      assert.equal(build.status, 'error');
      assert.equal(await site.shareMetadata(started.shareId), undefined);
    });
  });
});
