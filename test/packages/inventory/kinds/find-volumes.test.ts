import assert from 'node:assert/strict';
import { findVolumes } from '@gateway/inventory';
import type { BoundClient } from '@gateway/openstack';

describe('the search for the volumes of a job', () => {
  it('finds none that restores of backups have given its mark', async () => {
    const metadata = { gateway_job_id: 'job' };
    const volumes = [
      {
        id: 'restored',
        created_at: '2026-01-01T00:00:00',
        metadata: { ...metadata, src_backup_id: 'backup' },
      },
      { id: 'made', created_at: '2026-01-02T00:00:00', metadata },
      { id: 'of another job', created_at: '2026-01-03T00:00:00', metadata: { gateway_job_id: 'another' } },
    ];
    const client = { blockStorage: { volumes: { listByName: async () => volumes } } };

    const found = await findVolumes(client as unknown as BoundClient, 'name', {
      jobId: 'job',
      projectId: 'project',
    });

    assert.deepEqual(
      found.map(({ id }) => id),
      ['made'],
    );
  });
});
