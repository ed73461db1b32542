import assert from 'node:assert/strict';
import { type LateNfsServer, lateNfsServer } from './late-nfs-server.ts';
import { libraryFiles } from './library-files.ts';
import { bootMachine, type Machine } from './machine.ts';
import { assertFound, describeOnMachine } from './machine-suite.ts';
import { type MadeInstance, Site } from './site.ts';

const LIBRARY = 'addressed-library';
const SHARE_LATE_MS = 60_000;
/**
 * From the start of the machine, which looks for its disk after a minute. One that took longer than its disk shows
 * nothing, and is tried again with the next.
 */
const DISK_LATE_SECONDS = [150, 300, 600];

const mounted = ['cloud-init-done', 'overlay', 'share-readable', 'user-writes', 'user-file-on-disk'];

describeOnMachine('what comes late, or never', () => {
  let site: Site;
  let instance: MadeInstance;
  let server: LateNfsServer;
  let lateShare: Machine;
  let noShare: Machine;
  let lateDisk: Machine;

  // All of them wait most of the time: they do it together.
  before(async () => {
    site = await Site.start([{ id: LIBRARY }]);
    await site.prebuiltShare(LIBRARY, 'NFS', '10.0.2.2:/export');
    instance = await site.createInstance({ name: 'waits', libraries: [LIBRARY] });
    const share = site.folder(libraryFiles);
    server = await lateNfsServer(share, SHARE_LATE_MS);
    [lateShare, noShare, lateDisk] = await Promise.all([
      boot('late-share', ['mounted'], ['--forward', `2049:${server.port}`]),
      boot('no-share', ['no-share'], []),
      bootWithLateDisk(share),
    ]);
  });

  after(async () => {
    await server?.stop();
    await site?.stop();
  });

  function boot(name: string, checks: string[], options: string[]): Promise<Machine> {
    const { userData, serialOption } = instance;
    return bootMachine({
      name,
      userData,
      checks,
      env: { EXPECT_REASON: 'Connection refused' },
      options: [...options, ...serialOption],
    });
  }

  async function bootWithLateDisk(share: string, [seconds, ...longer] = DISK_LATE_SECONDS): Promise<Machine> {
    const machine = await boot(
      'late-disk',
      ['mounted', 'late-disk'],
      ['--nfs-export', share, '--vdb-delay', String(seconds)],
    );
    const isShown = machine.found('disk-came-later').ok || longer.length === 0;
    return isShown ? machine : bootWithLateDisk(share, longer);
  }

  it('is mounted in the end when the share comes 60 s after it was first asked for', () => {
    assert.ok(server.refused() > 1, `asked ${server.refused()} times while it was away`);
    assertFound(lateShare, mounted);
  });

  it('is waited for when it is the second disk', () => {
    assertFound(lateDisk, ['disk-came-later', ...mounted]);
  });

  it('fails with the reason when the share never comes', () => {
    assertFound(noShare, ['cloud-init-error', 'status-failed', 'no-workspace', 'disk-untouched']);
    assertFound(noShare, ['reason-in-log', 'reason-in-status', 'reason-for-cloud-init']);
  });

  it('leaves the machine within reach when the share never comes', () => {
    assertFound(noShare, ['ssh-answers']);
  });
});
