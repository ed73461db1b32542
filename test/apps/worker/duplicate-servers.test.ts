import assert from 'node:assert/strict';
import type { ServerRecord } from '@gateway/openstack';
import type { DeleteStepContext } from '../../../apps/worker/src/sagas/delete-instance/saga.ts';
import { findDuplicates } from '../../../apps/worker/src/sagas/delete-instance/steps/duplicates.ts';

const metadata = { gateway_job_id: 'j1' };

/** The ids of the servers that go with the instance, of others with its name. */
async function duplicatesAmong(servers: { id: string; created: string; metadata: object }[]) {
  const named = servers.map((row) => ({ name: 'web', tenant_id: 'p1', ...row }) as unknown as ServerRecord);
  const lookups = { serverIds: async () => named.map(({ id }) => id), servers: async () => named };
  return findDuplicates({
    config: { jobs: { lateCallSeconds: 120, recheckSeconds: 900 } },
    instanceId: 'instance',
    remover: () => ({ lookups }),
    server: { name: 'web', projectId: 'p1', createdAt: '2026-01-01T12:00:00Z', metadata },
  } as unknown as DeleteStepContext);
}

describe('a server with the name and the mark of a deleted instance', () => {
  it('goes with it if a late call has made it', async () => {
    const created = '2026-01-01T12:02:00Z';
    const late = { id: 'late', created, metadata };

    assert.deepEqual(await duplicatesAmong([late, { id: 'other', created, metadata: {} }]), ['late']);
  });

  it('stays if somebody has copied the metadata', async () => {
    const copies = ['2026-01-01T12:30:00Z', '2026-03-01T12:00:00Z', '2025-12-01T12:00:00Z', ''];

    assert.deepEqual(
      await duplicatesAmong(copies.map((created, at) => ({ id: `copy-${at}`, created, metadata }))),
      [],
    );
  });
});
