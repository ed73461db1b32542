import assert from 'node:assert/strict';
import { notFound } from '@gateway/core';
import { type RemovalRights, removeVolume, type VolumeDeletion } from '@gateway/inventory';

const options = { timeoutMs: 1_000, intervals: { firstMs: 1, maxMs: 1 }, stuckAfterMs: 60_000 };

describe('the removal of a volume', () => {
  /** What is deleted while these have the volume: null for a host, `gone` for a server that is missing. */
  async function remove(
    users: (string | null)[],
    deletion?: VolumeDeletion,
    metadata: object = {},
  ): Promise<string[]> {
    const deleted: string[] = [];
    const client = {
      blockStorage: {
        volumes: {
          get: async () => ({
            status: users.length > 0 ? 'in-use' : 'available',
            created_at: '2026-01-01T00:00:00Z',
            metadata,
          }),
          remove: async (id: string) => void deleted.push(id),
        },
        attachments: {
          listByVolume: async () =>
            users.map((instance, index) => ({ id: `attachment ${index}`, instance, status: 'attached' })),
          remove: async (id: string) => void deleted.push(id),
        },
      },
      compute: {
        servers: {
          async get(id: string) {
            if (id === 'gone') throw notFound('There is no such server.');
            return { id };
          },
        },
      },
      polls: { waitForGone: async () => {} },
    };
    const rights = { remover: () => client, forcer: async () => null } as unknown as RemovalRights;
    await removeVolume(rights, 'volume', options, deletion);
    return deleted;
  }

  for (const [who, users] of [
    ['another server', ['another']],
    ['another server beside its own', ['own', 'another']],
    ['a host', [null]],
  ] as const) {
    it(`leaves what ${who} has by now`, async () => {
      assert.deepEqual(await remove([...users], { ownServerIds: ['own'] }), []);
    });
  }

  it('takes what nobody has, or a server of the job', async () => {
    assert.deepEqual(await remove([], { ownServerIds: ['own'] }), ['volume']);
    assert.deepEqual(await remove(['own'], { ownServerIds: ['own'] }), ['volume']);
  });

  it('takes what a server had that is gone', async () => {
    assert.deepEqual(await remove(['gone'], { ownServerIds: ['own'] }), ['attachment 0', 'volume']);
  });

  it('does not ask who has it without servers of a job', async () => {
    assert.deepEqual(await remove(['another']), ['volume']);
    assert.deepEqual(await remove(['another'], {}), ['volume']);
  });

  it('leaves one into which a user has restored a backup by now', async () => {
    const metadata = { gateway_job_id: 'job', src_backup_id: 'backup' };

    assert.deepEqual(await remove([], {}, metadata), []);
    assert.deepEqual(await remove([], { ownServerIds: ['own'] }, metadata), []);
  });

  it('takes a restored one in a rollback', async () => {
    assert.deepEqual(await remove([], undefined, { src_backup_id: 'backup' }), ['volume']);
  });
});
