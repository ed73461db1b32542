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
    await assert.rejects(placeAmong(theirs), /has no export location/);
  });
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
