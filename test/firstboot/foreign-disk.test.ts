import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { libraryFiles } from './library-files.ts';
import { bootMachine, type Machine } from './machine.ts';
import { assertChecks, describeOnMachine } from './machine-suite.ts';
import { partitionedDisk } from './partitioned-disk.ts';
import { Site } from './site.ts';

const LIBRARY = 'addressed-library';

describeOnMachine('a second disk that is not blank', () => {
  let site: Site;
  let machine: Machine;
  let imageBefore: Buffer;
  let imageFile: string;

  before(async () => {
    site = await Site.start([{ id: LIBRARY }]);
    await site.prebuiltShare(LIBRARY, 'NFS', '10.0.2.2:/export');
    const instance = await site.createInstance({ name: 'foreign', libraries: [LIBRARY] });
    imageFile = join(site.folder(), 'disk');
    imageBefore = partitionedDisk();
    writeFileSync(imageFile, imageBefore);
    machine = await bootMachine({
      name: 'foreign-disk',
      userData: instance.userData,
      checks: ['foreign-disk'],
      env: { EXPECT_DISK: createHash('sha256').update(imageBefore).digest('hex') },
      options: [
        ...['--nfs-export', site.folder(libraryFiles)],
        ...[...instance.serialOption, '--vdb', imageFile],
      ],
    });
  });

  after(() => site?.stop());

  it('is refused with the reason, and the machine stays reachable', () => {
    assertChecks(machine, ['cloud-init-error', 'says-why', 'no-workspace', 'ssh-answers']);
  });

  it('is not changed if it has partitions', () => {
    assertChecks(machine, ['never-formatted', 'partitions-unchanged']);
  });

  for (const content of ['swap', 'lvm', 'luks']) {
    it(`is refused and not changed if it contains ${content}`, () => {
      assertChecks(machine, [`${content}-is-known`, `${content}-refused`, `${content}-unchanged`]);
    });
  }

  it('keeps its content, except for what the checks wrote', () => {
    const beyond = 4 * 1024 * 1024;
    assert.deepEqual(readFileSync(imageFile).subarray(beyond), imageBefore.subarray(beyond));
  });
});
