import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { libraryFiles } from './library-files.ts';
import { bootMachine, type Machine } from './machine.ts';
import { assertFound, describeOnMachine } from './machine-suite.ts';
import { partitionedDisk } from './partitioned-disk.ts';
import { Site } from './site.ts';

const LIBRARY = 'native-library';
/** From the start of the machine: an emulated one looks for its disk after about 60 s. */
const LATE_SECONDS = 150;

describeOnMachine('the second disk', () => {
  let site: Site;
  let late: Machine;
  let foreign: Machine;
  let imageBefore: Buffer;
  let imageFile: string;

  // The one waits while the other works.
  before(async () => {
    site = await Site.start([{ id: LIBRARY }]);
    await site.prebuiltShare(LIBRARY, 'CEPHFS', '10.9.9.9:6789:/export');
    [late, foreign] = await Promise.all([bootWithLateDisk(), bootWithForeignDisk()]);
  });

  after(() => site?.stop());

  async function bootWithLateDisk(): Promise<Machine> {
    const instance = await site.createInstance({ name: 'late', libraries: [LIBRARY] });
    return bootMachine({
      name: 'late-disk',
      userData: instance.userData,
      checks: ['mounted', 'late-disk'],
      options: [
        ...['--cephfs', site.folder(libraryFiles), ...instance.cephUserOption],
        ...[...instance.serialOption, '--vdb-delay', String(LATE_SECONDS)],
      ],
    });
  }

  async function bootWithForeignDisk(): Promise<Machine> {
    const instance = await site.createInstance({ name: 'foreign', libraries: [LIBRARY] });
    imageFile = join(site.folder(), 'disk');
    imageBefore = partitionedDisk();
    writeFileSync(imageFile, imageBefore);
    return bootMachine({
      name: 'foreign-disk',
      userData: instance.userData,
      checks: ['refused-disk'],
      env: { EXPECT_DISK: createHash('sha256').update(imageBefore).digest('hex') },
      options: [
        ...['--cephfs', site.folder(libraryFiles), ...instance.cephUserOption],
        ...[...instance.serialOption, '--vdb', imageFile],
      ],
    });
  }

  it('is waited for when it comes late', () => {
    assertFound(late, ['disk-came-later', 'cloud-init-done', 'overlay', 'share-readable']);
    assertFound(late, ['user-writes', 'user-file-on-disk']);
  });

  it('is refused with its reason when it holds something else, and the machine stays within reach', () => {
    assertFound(foreign, ['cloud-init-error', 'says-why', 'no-workspace', 'ssh-answers']);
  });

  it('is not changed by a byte when it holds partitions', () => {
    assertFound(foreign, ['never-formatted', 'partitions-unchanged']);
  });

  for (const content of ['swap', 'lvm', 'luks']) {
    it(`is refused and not changed when it holds ${content}`, () => {
      assertFound(foreign, [`${content}-is-known`, `${content}-refused`, `${content}-unchanged`]);
    });
  }

  it('keeps what it held beyond what the checks themselves wrote', () => {
    const beyond = 4 * 1024 * 1024;
    assert.deepEqual(readFileSync(imageFile).subarray(beyond), imageBefore.subarray(beyond));
  });
});
