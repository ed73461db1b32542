import assert from 'node:assert/strict';
import { ingressRules } from '@gateway/lite';

describe('the security rules of a cluster', () => {
  it('open node ports only to the subnet by default', () => {
    const subnet = '10.0.0.0/24';
    const nodePortsFrom = (nodePorts: string[]) =>
      ingressRules({
        subnetCidrs: [subnet],
        allowedFrom: { api: ['198.51.100.0/24'], http: [], nodePorts, ssh: [] },
        hasKeyPair: false,
      })
        .filter(({ ports, protocol }) => ports?.from === 30_000 && protocol === 'tcp')
        .map(({ from }) => from);

    assert.deepEqual(nodePortsFrom([]), [subnet]);
    assert.deepEqual(nodePortsFrom(['192.0.2.0/24']), [subnet, '192.0.2.0/24']);
  });
});
