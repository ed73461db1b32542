import assert from 'node:assert/strict';
import { type Snapshot, type Volume, type VolumeAction, volumeActions } from '@gateway/resources';
import type { ErrorBody } from '../support/api/client.ts';
import {
  type BlockStorageProject,
  prepareProjectWithServer,
} from '../support/projects/block-storage-project.ts';
import type { Prepared } from '../support/projects/prepared-cloud.ts';

type Call = [method: string, path: string, body?: object];

/** The statuses that an administrator can set, which stay until the next one is set. */
const STATUSES = [
  'available',
  'attaching',
  'awaiting-transfer',
  'backing-up',
  'creating',
  'deleting',
  'detaching',
  'downloading',
  'error',
  'error_deleting',
  'error_extending',
  'error_restoring',
  'extending',
  'maintenance',
  'reserved',
  'restoring-backup',
  'retyping',
  'uploading',
];

/** An attachment waits until the volume leaves such a status, and is refused only after half a minute. */
const AWAITED_BY_ATTACH = ['creating', 'detaching', 'downloading'];

const SNAPSHOT_STATUSES = ['available', 'backing-up', 'creating', 'deleting', 'error', 'error_deleting'];

describe('the actions that volumes and snapshots allow', function () {
  this.timeout(300_000);
  let project: BlockStorageProject;
  let server: Prepared;
  let otherType: string;

  prepareProjectWithServer(async (...made) => {
    [project, server] = made;
    await project.setQuota({ volumes: -1, gigabytes: -1, snapshots: -1, backups: -1, backup_gigabytes: -1 });
    const types = await project.mine.read<{ name: string }[]>('/api/volume-types');
    const { volume_type } = await read<Volume>(`/api/volumes/${await project.makeVolume()}`);
    otherType = types.find(({ name }) => name !== volume_type && !name.startsWith('__'))?.name ?? '';
  });

  for (const status of STATUSES) {
    it(`are accepted, and the others refused, for a volume that is ${status}`, async () => {
      const id = await volumeIn(status);
      const { allowed_actions: allowed } = await read<Volume>(`/api/volumes/${id}`);
      const [row] = (await read<Volume[]>('/api/volumes?refresh=true')).filter((volume) => volume.id === id);

      assert.deepEqual(row?.allowed_actions, allowed);
      for (const name of Object.keys(volumeActions) as VolumeAction[]) {
        const isAllowed = allowed.includes(name);
        if (name === 'attach' && !isAllowed && AWAITED_BY_ATTACH.includes(status)) continue;
        // Of an instance that it is not attached to: 404.
        if (name === 'detach' && !isAllowed) continue;
        // A new name leaves the volume as it is; the other actions take another one.
        const isTaken = isAllowed && name !== 'update';
        await check(isAllowed, volumeCall(name, isTaken ? await volumeIn(status) : id));
      }
      await project.setState('volumes', id, 'available');
    });
  }

  for (const status of SNAPSHOT_STATUSES) {
    it(`are accepted, and the others refused, for a snapshot that is ${status}`, async () => {
      const { body } = await project.ask<Snapshot>('POST', '/api/volume-snapshots', {
        name: 's',
        volume_id: await project.makeVolume(),
      });
      const path = `/api/volume-snapshots/${body.id}`;
      await project.becomes(path, 'available');
      await project.setState('snapshots', body.id, status);
      const { allowed_actions: allowed } = await read<Snapshot>(path);
      const rows = await read<Snapshot[]>('/api/volume-snapshots');

      assert.deepEqual(rows.find(({ id }) => id === body.id)?.allowed_actions, allowed);
      await check(allowed.includes('delete'), ['DELETE', path]);
      if (!allowed.includes('delete')) await project.setState('snapshots', body.id, 'available');
    });
  }

  it('are fewer for a volume in use', async () => {
    const id = await project.makeVolume();
    await project.attach(server.id, id);

    const { allowed_actions, managed_by } = await read<Volume>(`/api/volumes/${id}`);

    assert.deepEqual(
      [allowed_actions, managed_by],
      [['detach', 'create_snapshot', 'create_backup', 'update', 'extend', 'retype'], null],
    );
    await check(false, ['DELETE', `/api/volumes/${id}`]);
    await check(true, volumeCall('extend', id));
    await project.becomes(`/api/volumes/${id}`, 'in-use');
    await check(true, volumeCall('detach', id));
    await project.becomes(`/api/volumes/${id}`, 'available');
  });

  async function volumeIn(status: string): Promise<string> {
    const id = await project.makeVolume();
    await project.setState('volumes', id, status);
    return id;
  }

  async function read<T>(path: string): Promise<T> {
    return (await project.ask<T>('GET', path)).body;
  }

  async function check(isAllowed: boolean, [method, path, body]: Call): Promise<void> {
    const answer = await project.ask<ErrorBody>(method, path, body);
    if (isAllowed) assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    else assert.deepEqual([answer.status, answer.body?.code], [409, 'conflict'], answer.text);
  }

  function volumeCall(name: VolumeAction, id: string): Call {
    const copy = { name: 'copy', volume_id: id, force: true };
    switch (name) {
      case 'attach':
        return ['POST', `/api/instances/${server.id}/volumes`, { volume_id: id }];
      case 'detach':
        return ['DELETE', `/api/instances/${server.id}/volumes/${id}`];
      case 'create_snapshot':
        return ['POST', '/api/volume-snapshots', copy];
      case 'create_backup':
        return ['POST', '/api/volumes/backups', copy];
      case 'update':
        return ['PUT', `/api/volumes/${id}`, { name: 'renamed' }];
      case 'extend':
        return ['POST', `/api/volumes/${id}/extend`, { new_size: 2 }];
      case 'retype':
        return ['POST', `/api/volumes/${id}/retype`, { volume_type: otherType }];
      case 'transfer':
        return ['POST', `/api/volumes/${id}/transfer`];
      case 'delete':
        return ['DELETE', `/api/volumes/${id}`];
      case 'force_delete':
        return ['POST', `/api/volumes/${id}/force-delete`];
    }
  }
});
