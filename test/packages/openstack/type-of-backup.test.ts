import assert from 'node:assert/strict';
import { type BackupRecord, typeOfBackup, type VolumeRecord } from '@gateway/openstack';
import { fixtureBody, mockUpstream, type Upstream } from '../../support/doubles/upstream.ts';
import { recordedIdentity, testCloud } from './cloud.ts';

const volume = fixtureBody<VolumeRecord>('block-storage/volume', 'volume');
const backup = { id: 'b1', volume_id: 'v1', size: 1, name: 'b' } as BackupRecord;

describe('the type for a backup', () => {
  let upstream: Upstream;
  beforeEach(() => {
    upstream = mockUpstream();
  });
  afterEach(() => {
    upstream.assertAllUsed();
    upstream.close();
  });

  const root = `/v3/${recordedIdentity().projectId}`;
  const find = (target: VolumeRecord | null) => typeOfBackup(testCloud().mine(), backup, target);
  const found = (differences: Partial<VolumeRecord>) =>
    upstream.reply('block-storage/volume', {
      path: `${root}/volumes/v1`,
      body: { volume: { ...volume, ...differences } },
    });
  const gone = (encryption_key_id: string | null) => {
    upstream.reply('block-storage/volume', {
      path: `${root}/volumes/v1`,
      status: 404,
      body: { itemNotFound: { code: 404, message: 'Volume v1 could not be found.' } },
    });
    return upstream.reply('block-storage/volume', {
      path: `${root}/backups/b1`,
      requestHeaders: { 'openstack-api-version': 'volume 3.64' },
      body: { backup: { ...backup, encryption_key_id } },
    });
  };

  it('is that of its volume, if that is encrypted', async () => {
    found({ encrypted: true, volume_type: 'luks' });

    assert.equal(await find(null), 'luks');
  });

  it('does not matter for another volume', async () => {
    found({ encrypted: false, volume_type: 'fast' });

    assert.equal(await find(null), null);
  });

  it('is required of a volume that is overwritten', async () => {
    found({ encrypted: true, volume_type: 'luks' });
    await assert.rejects(find({ ...volume, volume_type: 'standard' }), { status: 409, message: /luks/ });
    found({ encrypted: true, volume_type: 'luks' });

    assert.equal(await find({ ...volume, volume_type: 'luks' }), 'luks');
  });

  it('is that of the volume itself, which is not read again', async () => {
    assert.equal(await find({ ...volume, id: 'v1', encrypted: true, volume_type: 'luks' }), 'luks');
  });

  it('is not known without the volume', async () => {
    gone('key-1');
    await assert.rejects(find(null), { status: 409, message: /is encrypted, and its volume does not exist/ });
    gone(null);

    assert.equal(await find(null), null);
  });
});
