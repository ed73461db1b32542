import assert from 'node:assert/strict';
import { CLUSTER_METADATA_KEY, JOB_METADATA_KEY } from '@gateway/core';
import { namesOfOtherMachines } from '../../../apps/worker/src/sagas/lite-clusters/node-names.ts';

describe('the names of the machines of a lite cluster', () => {
  it('are those of other machines of the cluster, not of the job', async () => {
    const row = (name: string, clusterId: string, tenant_id = 'p1', jobId = 'j0') => ({
      name,
      tenant_id,
      metadata: { [CLUSTER_METADATA_KEY]: clusterId, [JOB_METADATA_KEY]: jobId },
    });
    const servers = [
      row('shop-agent-1', 'c1'),
      row('shop-agent-2', 'c2'),
      row('shop-agent-3', 'c1', 'p2'),
      { ...row('shop-agent-4', 'c1'), metadata: null },
      row('shop-agent-5', 'c1', 'p1', 'j1'),
    ];
    const client = { compute: { servers: { list: async () => servers } } };
    const context = { jobId: 'j1', projectId: 'p1', owner: () => client } as unknown as Parameters<
      typeof namesOfOtherMachines
    >[0];

    const names = await namesOfOtherMachines(context, { id: 'c1', name: 'shop' });
    assert.deepEqual([...names], ['shop-agent-1']);
  });
});
