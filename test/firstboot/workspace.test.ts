import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { libraryFiles } from './library-files.ts';
import { bootMachine, type Machine } from './machine.ts';
import { assertChecks, describeOnMachine } from './machine-suite.ts';
import { type CreatedInstance, Site } from './site.ts';

const NATIVE = 'native-library';
const ADDRESSED = 'addressed-library';
const nfs = { protocol: 'NFS', exportPath: '10.0.2.2:/export', type: 'nfs' } as const;
const cephfs = { protocol: 'CEPHFS', exportPath: '10.9.9.9:6789:/export', type: 'ceph' } as const;
/** The interface accepts a line break in the password. Nobody can log in with it, but it must be harmless. */
const PASSWORD =
  'first line\n"second" line: $(touch /gateway-was-here) \'&a *a\'\n#cloud-config\nruncmd: [poweroff]';

const layered = ['overlay', 'overlay-layers', 'share-below', 'disk-above'];
const readable = [
  'share-readable',
  'program-runs',
  'module-imports',
  'module-imports-in-service',
  'services-see-no-path',
];
const written = ['user-file-shows', 'user-file-on-disk', 'change-shows', 'removal-shows'];
const untouchedShare = [
  'share-read-only',
  'user-file-not-in-share',
  'change-not-in-share',
  'removal-not-in-share',
];
const healthy = ['cloud-init-done', 'status-ready', 'no-failed-unit'];
const [FIRST, REBOOTED, AFTER_POWER_FAILURE] = [1, 2, 3];

describeOnMachine('the layered file system at /workspace', () => {
  let site: Site;
  let share: string;

  before(async () => {
    site = await Site.start([{ id: NATIVE }, { id: ADDRESSED }]);
    share = site.folder(libraryFiles);
    await site.prebuiltShare(ADDRESSED, nfs.protocol, nfs.exportPath);
    await site.prebuiltShare(NATIVE, cephfs.protocol, cephfs.exportPath);
  });

  after(() => site?.stop());

  function expecting({ type, exportPath }: { type: string; exportPath: string }): Record<string, string> {
    return { EXPECT_TYPE: type, EXPECT_SOURCE: exportPath };
  }

  describe('over NFS, on an image without its client', () => {
    let instance: CreatedInstance;
    let disk: string;
    let machine: Machine;

    before(async () => {
      disk = join(site.folder(), 'disk');
      instance = await site.createInstance({
        name: 'addressed',
        libraries: [ADDRESSED],
        admin_pass: PASSWORD,
      });
      machine = await bootMachine({
        name: 'nfs-bare',
        userData: instance.userData,
        checks: ['workspace', 'password'],
        env: { ...expecting(nfs), PASSWORD },
        options: [
          ...['--bare', '--nfs-export', share, ...instance.serialOption],
          ...['--vdb', disk, '--reboot', '--reset'],
        ],
      });
    });

    it('mounts the second disk above the share', () => {
      assertChecks(machine, [...layered, ...healthy]);
    });

    it('shows, runs and imports the files of the share', () => {
      assertChecks(machine, readable);
    });

    it('lets the default user write, except in search paths', () => {
      assertChecks(machine, ['user-writes', 'user-cannot-fill-search-paths']);
    });

    it('writes changes to the disk, not to the share', () => {
      assertChecks(machine, ['root-changes', 'root-removes', ...written, ...untouchedShare]);
      assert.equal(readFileSync(join(share, 'lib/README'), 'utf8'), libraryFiles['lib/README']);
    });

    it('is complete after a reboot, with the changes', () => {
      assertChecks(machine, [...layered, ...readable, ...written, ...untouchedShare, ...healthy], REBOOTED);
    });

    it('is unmounted before the network stops, without delaying the shutdown', () => {
      assertChecks(machine, ['unmounted-before-network', 'shutdown-not-held-up'], REBOOTED);
    });

    it('is complete after a power failure, with the changes', () => {
      const keys = [...layered, ...readable, ...written, ...untouchedShare, ...healthy];
      assertChecks(machine, keys, AFTER_POWER_FAILURE);
    });

    it('formats a blank disk once', () => {
      assertChecks(machine, ['formatted-at-most-once'], [FIRST, REBOOTED, AFTER_POWER_FAILURE]);
    });

    it('sets a password with line breaks unchanged', () => {
      assertChecks(machine, ['password']);
    });

    it('keeps the content of the disk on another machine', async () => {
      const second = await bootMachine({
        name: 'nfs-same-disk',
        userData: instance.userData,
        checks: ['workspace'],
        env: { ...expecting(nfs), EARLIER: '1', EXPECT_FORMATTED: '0' },
        options: ['--nfs-export', share, ...instance.serialOption, '--vdb', disk],
      });

      assertChecks(second, [...layered, ...written, ...healthy, 'formatted-at-most-once']);
    });
  });

  describe('over CephFS, on an image without its client', () => {
    let machine: Machine;

    before(async () => {
      const instance = await site.createInstance({ name: 'native', libraries: [NATIVE] });
      machine = await bootMachine({
        name: 'cephfs-bare',
        userData: instance.userData,
        checks: ['workspace', 'cephfs-key'],
        env: { ...expecting(cephfs), KEY: instance.cephUserOption.join('').split(':')[1] ?? '' },
        options: [
          ...['--bare', '--cephfs', share, ...instance.cephUserOption],
          ...[...instance.serialOption, '--reboot'],
        ],
      });
    });

    it('mounts the second disk above the share', () => {
      assertChecks(machine, [...layered, ...healthy]);
    });

    it('shows, runs and imports the files of the share', () => {
      assertChecks(machine, readable);
    });

    it('writes changes to the disk, not to the share', () => {
      assertChecks(machine, ['user-writes', 'root-changes', 'root-removes', ...written, ...untouchedShare]);
    });

    it('has the key only in a file that only root can read', () => {
      assertChecks(machine, ['key-is-the-one', 'key-file-private', 'key-nowhere-else'], [FIRST, REBOOTED]);
    });

    it('is complete after a reboot, with the changes', () => {
      assertChecks(machine, [...layered, ...readable, ...written, ...untouchedShare, ...healthy], REBOOTED);
    });

    it('is unmounted before the network stops, without delaying the shutdown', () => {
      assertChecks(machine, ['unmounted-before-network', 'shutdown-not-held-up'], REBOOTED);
    });
  });
});
