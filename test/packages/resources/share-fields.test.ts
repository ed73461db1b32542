import assert from 'node:assert/strict';
import type { BoundClient } from '@gateway/openstack';
import { defaultShareNetwork, shareFields } from '@gateway/resources';

const types = [
  { id: 't1', name: 'plain', is_default: true, servers: 'False' },
  { id: 't2', name: 'served', is_default: false, servers: 'True' },
  { id: 't3', name: 'odd', is_default: false, servers: null },
];
const client = {
  sharedFileSystem: {
    shareTypes: {
      list: async () =>
        types.map(({ servers, ...type }) => ({
          ...type,
          required_extra_specs: { driver_handles_share_servers: servers },
        })),
    },
  },
} as unknown as BoundClient;
const defaults = {
  shareProto: 'NFS',
  shareType: { nativefs: 'plain', nfs: 'served' },
  shareNetworkId: 'n1',
} as const;
const nfs = { protocol: 'NFS' } as const;

describe('shareFields', () => {
  it('sends the configured network with a type that has share servers', async () => {
    assert.deepEqual(await shareFields(client, defaults, nfs), {
      share_proto: 'NFS',
      share_type: 'served',
      share_network_id: 'n1',
    });
  });

  it('leaves out the configured network of a type without share servers', async () => {
    const configured = await shareFields(client, defaults, { protocol: 'NATIVEFS' });
    const asked = await shareFields(client, defaults, { ...nfs, shareType: 't1' });

    assert.deepEqual(configured, { share_proto: 'CEPHFS', share_type: 'plain' });
    assert.deepEqual(asked, { share_proto: 'NFS', share_type: 't1' });
  });

  it('is 400 for the network of a type without share servers', async () => {
    const asked = { ...nfs, shareType: 'plain', shareNetworkId: 'n2' };

    await assert.rejects(
      shareFields(client, defaults, asked),
      (error: { status: number; errors: object }) => {
        assert.equal(error.status, 400);
        assert.deepEqual(error.errors, [
          { field: 'body.share_network_id', message: 'must be absent for this share type' },
        ]);
        return true;
      },
    );
  });

  it('takes all but what is asked for from a source', async () => {
    const source = { share_proto: 'NFS', snapshot_id: 's1' };

    assert.deepEqual(await shareFields(client, defaults, { ...nfs, source }), source);
    assert.deepEqual(await shareFields(client, defaults, { ...nfs, source, shareNetworkId: 'n2' }), {
      ...source,
      share_network_id: 'n2',
    });
  });
});

describe('defaultShareNetwork', () => {
  const cases: [string | null, string | null][] = [
    ['served', 'n1'],
    ['t2', 'n1'],
    ['plain', null],
    [null, null],
    // The service decides.
    ['odd', 'n1'],
    ['unknown', 'n1'],
  ];
  for (const [type, expected] of cases) {
    it(`of the type ${type} is ${expected}`, async () => {
      assert.equal(await defaultShareNetwork(client, defaults, type), expected);
    });
  }

  it('needs no types if none is configured', async () => {
    const unread = {} as BoundClient;

    assert.equal(await defaultShareNetwork(unread, { ...defaults, shareNetworkId: null }, 'served'), null);
  });
});
