import assert from 'node:assert/strict';
import { notFound } from '@gateway/core';
import { type RemovalRights, removeVolume } from '@gateway/inventory';

const options = { timeoutMs: 1_000, intervals: { firstMs: 1, maxMs: 1 }, stuckAfterMs: 60_000 };

describe('the removal of a volume', () => {
  /** What is deleted while these have the volume: null for a host, `gone` for a server that is missing. */
  async function remove(users: (string | null)[], ownServerIds?: string[]): Promise<string[]> {
    const deleted: string[] = [];
    const client = {
      blockStorage: {
        volumes: {
          get: async () => ({
            status: users.length > 0 ? 'in-use' : 'available',
            created_at: '2026-01-01T00:00:00Z',
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
    await removeVolume(rights, 'volume', options, ownServerIds);
    return deleted;
  }

  for (const [who, users] of [
    ['another server', ['another']],
    ['another server beside its own', ['own', 'another']],
    ['a host', [null]],
  ] as const) {
    it(`leaves what ${who} has by now`, async () => {
      assert.deepEqual(await remove([...users], ['own']), []);
    });
  }

  it('takes what nobody has, or a server of the job', async () => {
    assert.deepEqual(await remove([], ['own']), ['volume']);
    assert.deepEqual(await remove(['own'], ['own']), ['volume']);
  });

  it('takes what a server had that is gone', async () => {
    assert.deepEqual(await remove(['gone'], ['own']), ['attachment 0', 'volume']);
  });

  it('does not ask who has it without servers of a job', async () => {
    assert.deepEqual(await remove(['another']), ['volume']);
  });
});
