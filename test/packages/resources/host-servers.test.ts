import assert from 'node:assert/strict';
import type { BoundClient } from '@gateway/openstack';
import { readHostServers } from '@gateway/resources';

describe('the instances of a host', () => {
  it('are not those of all hosts if its name is missing', async () => {
    const list = () => assert.fail('Without a host, the list has the instances of the whole cloud.');
    const client = { compute: { servers: { list } } } as unknown as BoundClient;

    for (const host of [null, '']) {
      const service = { id: '1', host, disabled_reason: null };
      await assert.rejects(readHostServers(client, { hypervisor_hostname: 'node-1', service }), {
        status: 409,
        code: 'conflict',
      });
    }
  });
});
