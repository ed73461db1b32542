import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bootMachine, type Machine } from './machine.ts';
import { assertChecks, describeOnMachine } from './machine-suite.ts';
import { packageSource, tinyRequirement } from './package-source.ts';
import { Site } from './site.ts';

const LIBRARY = 'tiny';
const [FIRST, REBOOTED] = [1, 2];

describeOnMachine('an instance with the dynamic strategy', () => {
  let site: Site;
  let share: string;
  let machine: Machine;

  before(async () => {
    site = await Site.start([{ id: LIBRARY, packages: [tinyRequirement] }], {
      file_storage: { share_proto: 'NFS' },
    });
    await site.control.set({ exportPaths: { NFS: '10.0.2.2:/export' } });
    share = site.folder();
    const fields = { name: 'dynamic', libraries: [LIBRARY], strategy: 'dynamic' };
    const instance = await site.createInstance(fields);
    machine = await bootMachine({
      name: 'dynamic',
      userData: instance.userData,
      checks: ['dynamic'],
      options: [
        ...['--nfs-export', share, '--share-rw', ...packageSource(site.folder())],
        ...[...instance.serialOption, '--reboot'],
      ],
    });
  });

  after(() => site?.stop());

  it('installs on its share, not on its disk', () => {
    assertChecks(machine, ['cloud-init-done', 'installed-on-share', 'not-installed-on-disk']);
    assert.ok(existsSync(join(share, 'python-packages/tiny_library.py')), 'the module is on the share');
  });

  it('mounts the share read-only below its disk', () => {
    assertChecks(machine, ['overlay', 'share-below', 'share-serves-read-only', 'share-read-only']);
    assertChecks(machine, ['no-writable-mount-left']);
  });

  it('imports and runs the installed packages', () => {
    assertChecks(machine, ['module-imports', 'program-runs', 'user-writes']);
  });

  it('has everything after a reboot, and does not install again', () => {
    assertChecks(machine, ['overlay', 'share-serves-read-only', 'module-imports', 'program-runs'], REBOOTED);
    assertChecks(machine, ['user-file-shows', 'no-failed-unit'], [FIRST, REBOOTED]);
    const downloads = machine.requests.filter((line) => line.includes('.whl'));
    assert.equal(downloads.length, 1, downloads.join('\n'));
  });
});
