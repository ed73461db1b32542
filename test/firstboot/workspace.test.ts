import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { libraryFiles } from './library-files.ts';
import { bootMachine, type Machine } from './machine.ts';
import { assertFound, describeOnMachine } from './machine-suite.ts';
import { type MadeInstance, Site } from './site.ts';

const NATIVE = 'native-library';
const ADDRESSED = 'addressed-library';
const nfs = { protocol: 'NFS', exportPath: '10.0.2.2:/export', type: 'nfs' } as const;
const cephfs = { protocol: 'CEPHFS', exportPath: '10.9.9.9:6789:/export', type: 'ceph' } as const;
/** No log-in takes a line break, but the interface does: it must do no harm. */
const PASSWORD =
  'first line\n"second" line: $(touch /gateway-was-here) \'&a *a\'\n#cloud-config\nruncmd: [poweroff]';

const layered = ['overlay', 'overlay-layers', 'share-below', 'disk-above'];
const readable = ['share-readable', 'program-runs', 'module-imports', 'module-imports-in-service'];
const written = ['user-file-shows', 'user-file-on-disk', 'change-shows', 'removal-shows'];
const untouchedShare = [
  'share-read-only',
  'user-file-not-in-share',
  'change-not-in-share',
  'removal-not-in-share',
];
const healthy = ['cloud-init-done', 'status-ready', 'no-failed-unit'];
const [FIRST, REBOOTED, AFTER_POWER_CUT] = [1, 2, 3];

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
    let instance: MadeInstance;
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

    it('lays the second disk over the share', () => {
      assertFound(machine, [...layered, ...healthy]);
    });

    it('shows the files of the share, and runs and imports them', () => {
      assertFound(machine, readable);
    });

    it('lets the default user write, but not into the search paths of others', () => {
      assertFound(machine, ['user-writes', 'user-cannot-fill-search-paths']);
    });

    it('puts what is written on the disk, and nothing into the share', () => {
      assertFound(machine, ['root-changes', 'root-removes', ...written, ...untouchedShare]);
      assert.equal(readFileSync(join(share, 'lib/README'), 'utf8'), libraryFiles['lib/README']);
    });

    it('is all there again after an orderly reboot, with what was written', () => {
      assertFound(machine, [...layered, ...readable, ...written, ...untouchedShare, ...healthy], REBOOTED);
    });

    it('goes down before the network at a shutdown, and does not hold it up', () => {
      assertFound(machine, ['unmounted-before-network', 'shutdown-not-held-up'], REBOOTED);
    });

    it('is all there again after a power cut, with what was written', () => {
      const keys = [...layered, ...readable, ...written, ...untouchedShare, ...healthy];
      assertFound(machine, keys, AFTER_POWER_CUT);
    });

    it('formats a blank disk, and only once', () => {
      assertFound(machine, ['formatted-at-most-once'], [FIRST, REBOOTED, AFTER_POWER_CUT]);
    });

    it('takes a password with line breaks as text', () => {
      assertFound(machine, ['password']);
    });

    it('keeps what is on the disk when another machine gets it', async () => {
      const second = await bootMachine({
        name: 'nfs-same-disk',
        userData: instance.userData,
        checks: ['workspace'],
        env: { ...expecting(nfs), EARLIER: '1', EXPECT_FORMATTED: '0' },
        options: ['--nfs-export', share, ...instance.serialOption, '--vdb', disk],
      });

      assertFound(second, [...layered, ...written, ...healthy, 'formatted-at-most-once']);
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

    it('lays the second disk over the share', () => {
      assertFound(machine, [...layered, ...healthy]);
    });

    it('shows the files of the share, and runs and imports them', () => {
      assertFound(machine, readable);
    });

    it('puts what is written on the disk, and nothing into the share', () => {
      assertFound(machine, ['user-writes', 'root-changes', 'root-removes', ...written, ...untouchedShare]);
    });

    it('keeps the key in a file that root alone reads, and nowhere else', () => {
      assertFound(machine, ['key-is-the-one', 'key-file-private', 'key-nowhere-else'], [FIRST, REBOOTED]);
    });

    it('is all there again after an orderly reboot, with what was written', () => {
      assertFound(machine, [...layered, ...readable, ...written, ...untouchedShare, ...healthy], REBOOTED);
    });

    it('goes down before the network at a shutdown, and does not hold it up', () => {
      assertFound(machine, ['unmounted-before-network', 'shutdown-not-held-up'], REBOOTED);
    });
  });
});
