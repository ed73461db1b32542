import assert from 'node:assert/strict';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { testLogin } from '../support/stacks/test-stack.ts';
import { freshLists, has, isIn, isNamed, lacks, ROUNDS, type Row } from '../support/subjects/fresh-lists.ts';

describe('a storage write', function () {
  this.timeout(60_000 + ROUNDS * 10_000);
  const lists = freshLists();

  it('to volumes, snapshots, backups and transfers is in their next lists', () =>
    lists.repeat(async (number) => {
      const volume = await lists.assertShown(
        () => lists.send('POST', '/api/volumes', { name: `fresh-${number}`, size_gb: 1 }),
        { '/api/volumes': has },
      );
      await lists.waitFor(`/api/volumes/${volume.id}`, 'available');
      await lists.assertShown(() => lists.send('PUT', `/api/volumes/${volume.id}`, { name: 'renamed' }), {
        '/api/volumes': isNamed(volume.id, 'renamed'),
      });
      await lists.assertShown(
        () => lists.send('POST', `/api/volumes/${volume.id}/retype`, { volume_type: 'fast' }),
        { '/api/volumes': isIn(volume.id, ['retyping', 'available']) },
      );
      await lists.waitFor(`/api/volumes/${volume.id}`, 'available');
      await lists.assertShown(() => lists.send('POST', `/api/volumes/${volume.id}/extend`, { new_size: 2 }), {
        '/api/volumes': isIn(volume.id, ['extending', 'available']),
      });
      await lists.waitFor(`/api/volumes/${volume.id}`, 'available');
      const of = { name: 'fresh', volume_id: volume.id };
      const snapshot = await lists.assertShown(() => lists.send('POST', '/api/volume-snapshots', of), {
        '/api/volume-snapshots': has,
      });
      await lists.waitFor(`/api/volume-snapshots/${snapshot.id}`, 'available');
      await lists.assertShown(() => lists.send('DELETE', `/api/volume-snapshots/${snapshot.id}`), {
        '/api/volume-snapshots': () => (rows) =>
          rows.every(({ id, status }) => id !== snapshot.id || status === 'deleting'),
      });
      const backup = await lists.assertShown(() => lists.send('POST', '/api/volumes/backups', of), {
        '/api/volumes/backups': has,
      });
      await lists.waitFor(`/api/volumes/backups/${backup.id}`, 'available');
      await lists.assertShown(() => lists.send('DELETE', `/api/volumes/backups/${backup.id}`), {
        '/api/volumes/backups': () => (rows) =>
          rows.every(({ id, status }) => id !== backup.id || status === 'deleting'),
      });
      await lists.waitFor(`/api/volumes/${volume.id}`, 'available');
      const transfer = await lists.assertShown(
        () => lists.send('POST', `/api/volumes/${volume.id}/transfer`, {}),
        {
          '/api/volumes/transfers': has,
          '/api/volumes': isIn(volume.id, ['awaiting-transfer']),
        },
      );
      await lists.assertShown(() => lists.send('DELETE', `/api/volumes/transfer/${transfer.id}`), {
        '/api/volumes/transfers': lacks(transfer.id),
        '/api/volumes': isIn(volume.id, ['available']),
      });
      await eventually(async () => {
        const rows = await lists.writer.read<Row[]>('/api/volume-snapshots');
        return rows.every(({ id }) => id !== snapshot.id);
      });
      await lists.assertShown(() => lists.send('DELETE', `/api/volumes/${volume.id}`), {
        '/api/volumes': () => (rows) =>
          rows.every(({ id, status }) => id !== volume.id || status === 'deleting'),
      });
    }));

  it('to file storages is in the next read of their list', () =>
    lists.repeat(async () => {
      const share = await lists.assertShown(
        () => lists.send('POST', '/api/file-storage', { name: 'fresh', size_gb: 1 }),
        { '/api/file-storage': has },
      );
      await lists.waitFor(`/api/file-storage/${share.id}`, 'available');
      await lists.assertShown(() => lists.send('DELETE', `/api/file-storage/${share.id}`), {
        '/api/file-storage': () => (rows) =>
          rows.every(({ id, status }) => id !== share.id || status === 'deleting'),
      });
    }));

  it("that accepts a transfer is in both projects' next lists", async () => {
    const alice = await GatewayClient.logIn(lists.writer.url, testLogin('alice'));
    const aliceReads = alice.at(lists.reader.url);
    const hasVolume = async (who: GatewayClient, id: string) =>
      has({ id })(await who.read<Row[]>('/api/volumes'));
    await lists.repeat(async (number) => {
      const { id } = await lists.send('POST', '/api/volumes', { name: `given-${number}`, size_gb: 1 });
      await lists.waitFor(`/api/volumes/${id}`, 'available');
      const offer = await lists.send<{ id: string; auth_key: string }>('POST', `/api/volumes/${id}/transfer`);
      assert.deepEqual([await hasVolume(lists.reader, id), await hasVolume(aliceReads, id)], [true, false]);

      const path = `/api/volumes/transfer/${offer.id}/accept`;
      const accepted = await alice.request('POST', path, { auth_key: offer.auth_key });

      assert.equal(accepted.status, 200, accepted.text);
      assert.deepEqual([await hasVolume(lists.reader, id), await hasVolume(aliceReads, id)], [false, true]);
      lists.checks += 1;
      await alice.request('POST', `/api/volumes/${id}/force-delete`);
    });
  });
});
