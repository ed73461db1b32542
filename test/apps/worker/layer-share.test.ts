import assert from 'node:assert/strict';
import type { ExportLocationRecord } from '@gateway/openstack';
import { readLayerShare } from '../../../apps/worker/src/sagas/resources/layer-share.ts';

const share = { id: 'share', protocol: 'NFS', accessTo: '10.10.0.5' } as const;

describe('the export location that a server mounts a share from', () => {
  it('is the preferred one', async () => {
    assert.equal(await placeAmong({ path: 'a' }, { path: 'b', preferred: true }), 'b');
  });

  it('is the first one if none is preferred', async () => {
    assert.equal(await placeAmong({ path: 'a' }, { path: 'b' }), 'a');
  });

  it('is never for administrators only, although the service user sees it', async () => {
    const theirs = { path: 'a', is_admin_only: true, preferred: true };

    assert.equal(await placeAmong(theirs, { path: 'b', is_admin_only: false }), 'b');
    await assert.rejects(placeAmong(theirs), {
      status: 502,
      code: 'upstream_error',
      message: /export location/,
    });
  });
});

describe('the Ceph file system of a share', () => {
  for (const [options, fileSystem] of [
    ['fs=second', 'second'],
    ['ro, mds_namespace=second', 'second'],
    ['noatime', undefined],
    [undefined, undefined],
  ] as const) {
    it(`is ${fileSystem ?? 'the default one'} with the mount options ${options}`, async () => {
      const metadata = options === undefined ? {} : { __mount_options: options };
      const sharedFileSystem = {
        exportLocations: { list: async () => [{ id: 'location', path: 'a', preferred: true }] },
        accessRules: { list: async () => [{ access_to: 'reader', access_key: 'key' }] },
        shares: { get: async () => ({ metadata }) },
      };
      const manager = { sharedFileSystem } as unknown as Parameters<typeof readLayerShare>[0];
      const mounted = { id: 'share', protocol: 'NATIVEFS', accessTo: 'reader' } as const;

      assert.equal((await readLayerShare(manager, mounted)).fileSystem, fileSystem);
    });
  }
});

async function placeAmong(...locations: Partial<ExportLocationRecord>[]): Promise<string> {
  const records = locations.map((location) => ({ id: 'location', path: '', preferred: false, ...location }));
  const sharedFileSystem = {
    exportLocations: { list: async () => records },
    accessRules: { list: async () => [] },
  };
  const manager = { sharedFileSystem } as unknown as Parameters<typeof readLayerShare>[0];
  return (await readLayerShare(manager, share)).exportLocation;
}
