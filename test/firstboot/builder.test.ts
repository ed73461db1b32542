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
/** The number of reports that get a 503: more than the number of stages before the failure. */
const REFUSED_REPORTS = 7;

const commands = [
  'test "$(id --user)" = 0\nprintf \'%s\\n\' "#!/bin/sh" "echo made by a command" > "$GATEWAY_SHARE/bin/made"\n',
  'chmod 755 "$GATEWAY_SHARE/bin/made"',
];

interface Report {
  token: string;
  stage: string;
  success?: boolean;
  error?: string;
  log_tail: string;
}

describeOnMachine('a library builder', () => {
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
        powersOff: true,
        options: [
          ...['--no-vdb', '--nfs-export', share, '--share-rw'],
          ...[...site.gatewayOption, ...packageSource(site.folder())],
        ],
      });
      build = await site.builderIsOff(started);
    });

    it('completes the build, with its log', () => {
      assert.equal(build.status, 'ready', `${build.message}\n${build.log_tail}`);
      assert.match(build.log_tail ?? '', /Successfully installed tiny-library-1\.0/);
    });

    it('puts the packages and the files of the commands on the share', () => {
      assert.match(readFileSync(join(share, 'python-packages/tiny_library.py'), 'utf8'), /a tiny library/);
      assert.equal(execFileSync(join(share, 'bin/made'), { encoding: 'utf8' }), 'made by a command\n');
      assert.deepEqual(
        readdirSync(join(share)).filter((name) => name.includes('partial')),
        [],
      );
    });

    it('writes a correct manifest and checksums', async () => {
      const sums = readFileSync(join(share, 'SHA256SUMS'), 'utf8');
      execFileSync('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: share });
      const manifest = JSON.parse(readFileSync(join(share, '.gateway-manifest.json'), 'utf8'));
      const checksum = createHash('sha256').update(sums).digest('hex');
      assert.deepEqual(
        [manifest.library, manifest.version, manifest.files, manifest.checksum],
        [GOOD, '1', sums.trim().split('\n').length, checksum],
      );
      assert.match(sums, / bin\/made$/m);
      const metadata = await site.shareMetadata(started.shareId);
      assert.deepEqual([metadata?.overlay_status, metadata?.overlay_checksum], ['ready', checksum]);
      assert.deepEqual(manifest.packages, ['tiny-library==1.0']);
    });
  });

  describe('that fails, and whose first reports are not accepted', () => {
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
        powersOff: true,
        options: [
          ...['--no-vdb', '--nfs-export', share, '--share-rw', '--http-dir', site.folder()],
          ...['--post-status', [...Array(REFUSED_REPORTS).fill(503), 200].join(',')],
        ],
      });
      reports = machine.posts.map(({ body }) => JSON.parse(body) as Report);
      build = await site.builderIsOff(started);
    });

    it('reports its stages, whatever the responses are', () => {
      const stages = reports.filter(({ success }) => success === undefined).map(({ stage }) => stage);
      const known = ['start', 'tools', 'share', 'commands'];
      assert.ok(stages.length > 0);
      assert.deepEqual(
        stages.filter((stage) => !known.includes(stage)),
        [],
      );
    });

    it('repeats its final report until it is accepted, and then powers off', () => {
      const last = machine.posts.slice(reports.findIndex(({ success }) => success !== undefined));
      assert.ok(last.length > 1, 'it was sent more than once');
      assert.deepEqual(new Set(last.map(({ body }) => body)).size, 1, 'the same each time');
      assert.deepEqual(
        last.map(({ answered }) => answered),
        [...Array(last.length - 1).fill(503), 200],
      );
    });

    it('reports the failure and the log before it', () => {
      const { success, stage, error, log_tail: tail } = reports.at(-1) ?? assert.fail('no report');
      assert.deepEqual([success, stage], [false, 'commands']);
      assert.match(error ?? '', /no-such-folder/);
      assert.match(tail, /before the end/);
    });

    it('does not show its token in logs or on the console', () => {
      const { token } = reports.at(-1) ?? assert.fail('no report');
      assert.match(token, /\S{16}/);
      const logs = reports.map(({ log_tail }) => log_tail).join('\n');
      assert.ok(![logs, machine.console].some((text) => text.includes(token)));
    });

    it('leaves no manifest, so that the share does not count as complete', () => {
      assert.ok(!existsSync(join(share, '.gateway-manifest.json')));
    });

    it('fails the build, which leaves nothing behind', async () => {
      assert.equal(build.status, 'error');
      assert.equal(await site.shareMetadata(started.shareId), undefined);
    });
  });
});
