import assert from 'node:assert/strict';
import { type LateNfsServer, lateNfsServer } from './late-nfs-server.ts';
import { libraryFiles } from './library-files.ts';
import { bootMachine, type Machine } from './machine.ts';
import { assertFound, describeOnMachine } from './machine-suite.ts';
import { Site } from './site.ts';

const LIBRARY = 'addressed-library';
const LATE_MS = 60_000;

describeOnMachine('a share that can not be reached', () => {
  let site: Site;
  let server: LateNfsServer;
  let late: Machine;
  let never: Machine;

  // Both wait most of the time: they do it together.
  before(async () => {
    site = await Site.start([{ id: LIBRARY }]);
    await site.prebuiltShare(LIBRARY, 'NFS', '10.0.2.2:/export');
    server = await lateNfsServer(site.folder(libraryFiles), LATE_MS);
    const { userData, serialOption } = await site.createInstance({ name: 'waits', libraries: [LIBRARY] });
    [late, never] = await Promise.all([
      bootMachine({
        name: 'late-share',
        userData,
        checks: ['mounted'],
        options: ['--forward', `2049:${server.port}`, ...serialOption],
      }),
      bootMachine({
        name: 'no-share',
        userData,
        checks: ['unreachable-share'],
        env: { EXPECT_REASON: 'Connection refused' },
        options: serialOption,
      }),
    ]);
  });

  after(async () => {
    await server?.stop();
    await site?.stop();
  });

  it('is mounted in the end when it comes 60 s after it was first asked for', () => {
    assert.ok(server.refused() > 1, `asked ${server.refused()} times while it was away`);
    assertFound(late, ['cloud-init-done', 'overlay', 'share-readable', 'user-writes', 'user-file-on-disk']);
  });

  it('fails with the reason when it never comes', () => {
    assertFound(never, ['cloud-init-error', 'status-failed', 'no-workspace', 'disk-untouched']);
    assertFound(never, ['reason-in-log', 'reason-in-status', 'reason-for-cloud-init']);
  });

  it('leaves the machine within reach when it never comes', () => {
    assertFound(never, ['ssh-answers']);
  });
});
