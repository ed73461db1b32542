import assert from 'node:assert/strict';
import { kinds } from '@gateway/inventory';
import { type BoundClient, type FloatingIpRecord, floatingIpRecord } from '@gateway/openstack';
import { asRecord } from '../../../support/doubles/as-record.ts';

describe('a floating IP that may be a leftover', () => {
  it('says what uses it, also if it only forwards ports', async () => {
    const ports = ['10.0.0.5', '10.0.0.6', '10.0.0.5'];
    const port_forwardings = ports.map((internal_ip_address) => ({ internal_ip_address }));

    assert.equal(await useOf({ port_id: null, port_forwardings: [] }), null);
    assert.equal(await useOf({ port_id: 'p', port_forwardings: [] }), 'It is associated with port p.');
    assert.equal(
      await useOf({ port_id: null, port_forwardings }),
      'It forwards ports to 10.0.0.5, 10.0.0.6.',
    );
  });
});

async function useOf(differences: Partial<FloatingIpRecord>): Promise<string | null> {
  const record = asRecord(floatingIpRecord, { id: 'fip-1', ...differences });
  const floatingIps = { get: async () => record };
  const client = { network: { floatingIps } } as unknown as BoundClient;
  return (await kinds.floating_ip.leftovers.get(client, 'fip-1')).use;
}
