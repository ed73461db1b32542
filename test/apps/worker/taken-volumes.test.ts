import assert from 'node:assert/strict';
import { createLogger } from '@gateway/platform';
import type { DeleteStepContext } from '../../../apps/worker/src/sagas/delete-instance/saga.ts';
import { deleteAssociatedResources } from '../../../apps/worker/src/sagas/delete-instance/steps/associated-resources.ts';
import { captureLogLines } from '../../support/api/log-lines.ts';

const leftovers = [{ type: 'volume', id: 'volume', reason: 'It has a snapshot.' }];
const logger = createLogger({ level: 'debug', format: 'json', service: 'worker' }, captureLogLines().stream);

describe('the sweep of a volume that was left with its instance', () => {
  /** What it deletes and leaves while this server has the volume. */
  async function sweep(user: string) {
    const deleted: string[] = [];
    const client = {
      blockStorage: {
        volumes: {
          get: async () => ({ status: 'in-use', created_at: '2026-01-01T00:00:00Z' }),
          remove: async (id: string) => void deleted.push(id),
        },
        attachments: { listByVolume: async () => [{ id: 'a1', instance: user, status: 'attached' }] },
      },
      compute: { servers: { get: async (id: string) => ({ id }) } },
      polls: { waitForGone: async () => {} },
    };
    const associated = {
      ...{ volumeIds: ['volume'], floatingIpIds: [], portIds: [], serverPortIds: [] },
      ...{ accessRules: [], dynamicShareIds: [] },
    };
    const context = {
      config: { jobs: { pollIntervalMs: 1 }, timeLimits: { volumeSeconds: 600, serverSeconds: 600 } },
      logger,
      signal: new AbortController().signal,
      since: Date.now(),
      instanceId: 'deleted',
      state: { associated, duplicateIds: ['duplicate'] },
      owner: () => client,
      remover: () => client,
      service: async () => client,
      forcer: async () => null,
    };
    const swept = await deleteAssociatedResources.sweep?.(context as unknown as DeleteStepContext, {
      leftovers,
    });
    return { deleted, left: swept?.leftovers };
  }

  it('leaves it to the user who has attached it elsewhere', async () => {
    assert.deepEqual(await sweep('another'), { deleted: [], left: [] });
  });

  for (const own of ['deleted', 'duplicate']) {
    it(`takes it from a server of its creation: ${own}`, async () => {
      assert.deepEqual(await sweep(own), { deleted: ['volume'], left: [] });
    });
  }
});
