import assert from 'node:assert/strict';
import { CLUSTER_METADATA_KEY } from '@gateway/core';
import { namesOfMachines } from '../../../apps/worker/src/sagas/lite-clusters/node-names.ts';

describe('the names of the machines of a lite cluster', () => {
  it("are those of servers with the cluster's mark in its project", async () => {
    const row = (name: string, clusterId: string, tenant_id = 'p1') => ({
      name,
      tenant_id,
      metadata: { [CLUSTER_METADATA_KEY]: clusterId },
    });
    const servers = [
      row('shop-agent-1', 'c1'),
      row('shop-agent-2', 'c2'),
      row('shop-agent-3', 'c1', 'p2'),
      { ...row('shop-agent-4', 'c1'), metadata: null },
    ];
    const client = { compute: { servers: { list: async () => servers } } };
    const context = { projectId: 'p1', owner: () => client } as unknown as Parameters<
      typeof namesOfMachines
    >[0];

    assert.deepEqual([...(await namesOfMachines(context, { id: 'c1', name: 'shop' }))], ['shop-agent-1']);
  });
});
