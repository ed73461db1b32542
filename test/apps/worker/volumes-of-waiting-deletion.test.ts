import assert from 'node:assert/strict';
import type { BoundClient, ServerRecord } from '@gateway/openstack';
import type { DeleteStepContext } from '../../../apps/worker/src/sagas/delete-instance/saga.ts';
import { findAssociatedResources } from '../../../apps/worker/src/sagas/delete-instance/steps/look-up.ts';

const HOUR_MS = 3_600_000;

/** The volumes that a deletion takes whose request has read `boot` and `data` as going with the server. */
async function volumesTaken({ waitedMs, attachedNow }: { waitedMs: number; attachedNow: string[] | null }) {
  const lookups = {
    async server() {
      if (attachedNow === null) assert.fail('The server is not read again.');
      const attached = attachedNow.map((id) => ({ id, delete_on_termination: id !== 'changed' }));
      return { 'os-extended-volumes:volumes_attached': attached } as ServerRecord;
    },
    ports: async () => [],
    floatingIps: async () => [],
  };
  const { associated } = await findAssociatedResources.run({
    instanceId: 'server',
    server: { metadata: {}, projectId: 'project', volumeIds: ['boot', 'data'] },
    since: Date.now() - waitedMs,
    owner: () => ({ lookups }) as unknown as BoundClient,
  } as unknown as DeleteStepContext);
  return associated?.volumeIds;
}

describe('the volumes that a deletion takes', () => {
  it('are those of the request', async () => {
    assert.deepEqual(await volumesTaken({ waitedMs: 0, attachedNow: null }), ['boot', 'data']);
  });

  it('are only those that the server still has after a wait', async () => {
    const attachedNow = ['boot', 'attached-later'];
    assert.deepEqual(await volumesTaken({ waitedMs: HOUR_MS, attachedNow }), ['boot']);
  });
});
