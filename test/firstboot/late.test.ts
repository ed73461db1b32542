import assert from 'node:assert/strict';
import { type LateNfsServer, lateNfsServer } from './late-nfs-server.ts';
import { libraryFiles } from './library-files.ts';
import { bootMachine, type Machine } from './machine.ts';
import { assertChecks, describeOnMachine } from './machine-suite.ts';
import { type CreatedInstance, Site } from './site.ts';

const LIBRARY = 'addressed-library';
const SHARE_LATE_MS = 60_000;
/**
 * From the start of the machine, which searches for its disk after about a minute. If the machine was slower
 * than its disk, the case is repeated with the next delay.
 */
const DISK_LATE_SECONDS = [150, 300, 600];

const mounted = ['cloud-init-done', 'overlay', 'share-readable', 'user-writes', 'user-file-on-disk'];

describeOnMachine('a share or disk that appears late or never', () => {
  let site: Site;
  let instance: CreatedInstance;
  let server: LateNfsServer;
  let lateShare: Machine;
  let noShare: Machine;
  let lateDisk: Machine;

  // They wait most of the time, so they run concurrently.
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
    const wasLate = machine.result('disk-appeared-later').ok || longer.length === 0;
    return wasLate ? machine : bootWithLateDisk(share, longer);
  }

  it('is mounted if its share appears after 60 s', () => {
    assert.ok(server.refused() > 1, `${server.refused()} connections were refused`);
    assertChecks(lateShare, mounted);
  });

  it('is waited for if it is the second disk', () => {
    assertChecks(lateDisk, ['disk-appeared-later', ...mounted]);
  });

  it('fails the first boot with the reason if the share never appears', () => {
    assertChecks(noShare, ['cloud-init-error', 'status-failed', 'no-workspace', 'disk-untouched']);
    assertChecks(noShare, ['reason-in-log', 'reason-in-status', 'reason-for-cloud-init']);
  });

  it('leaves the machine reachable if the share never appears', () => {
    assertChecks(noShare, ['ssh-answers']);
  });
});
