import assert from 'node:assert/strict';
import { ingressRules } from '@gateway/lite';

describe('the security rules of a cluster', () => {
  const subnet = '10.0.0.0/24';

  /** The networks from which the node ports are open. */
  function nodePortsFrom(keepsClientAddress: boolean, nodePorts: string[] = []): (string | null)[] {
    const rules = ingressRules({
      subnetCidrs: [subnet],
      allowedFrom: { api: ['198.51.100.0/24'], http: [], nodePorts, ssh: [] },
      keepsClientAddress,
      hasKeyPair: false,
    });
    return rules
      .filter(({ ports, protocol }) => ports?.from === 30_000 && protocol === 'tcp')
      .map(({ from }) => from);
  }

  it('open node ports to the subnet, from which load balancers connect', () => {
    assert.deepEqual(nodePortsFrom(false), [subnet]);
    assert.deepEqual(nodePortsFrom(false, ['192.0.2.0/24']), [subnet, '192.0.2.0/24']);
  });

  it("open node ports to clients if load balancers keep the clients' addresses", () => {
    assert.deepEqual(nodePortsFrom(true), [subnet, '0.0.0.0/0', '::/0']);
    assert.deepEqual(nodePortsFrom(true, ['192.0.2.0/24']), [subnet, '192.0.2.0/24']);
  });
});
