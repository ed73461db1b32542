import assert from 'node:assert/strict';
import type { GatewayError } from '@gateway/core';
import type { BoundClient, NetworkRecord } from '@gateway/openstack';
import { chooseNetwork } from '@gateway/resources';

const NAMED = { id: 'net', name: 'inside', shared: false, subnets: ['subnet'], 'router:external': false };

describe('the network of a creation', () => {
  /** Chooses for the project `mine` with a token that has access to this network, whatever its project. */
  function choose(network: Partial<NetworkRecord>): Promise<NetworkRecord> {
    const networks = { get: async () => ({ ...NAMED, ...network }) };
    const client = { network: { networks } } as unknown as BoundClient;
    return chooseNetwork(client, { projectId: 'mine', networkId: 'net' });
  }

  it("may be the project's own or a shared one", async () => {
    assert.equal((await choose({ project_id: 'mine' })).id, 'net');
    assert.equal((await choose({ project_id: 'theirs', shared: true })).id, 'net');
  });

  it('does not exist for a project without access, whatever the token', async () => {
    await assert.rejects(choose({ project_id: 'theirs' }), (error: GatewayError) => {
      assert.deepEqual([error.status, error.errors?.[0]?.field], [400, 'body.network_id']);
      return true;
    });
  });
});
