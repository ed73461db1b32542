import assert from 'node:assert/strict';
import type { BoundClient, SubnetRecord } from '@gateway/openstack';
import { needsConfigDrive } from '../../../apps/worker/src/sagas/resources/config-drive.ts';

type Subnet = Pick<SubnetRecord, 'network_id' | 'ip_version' | 'enable_dhcp'>;

const served: Subnet = { network_id: 'served', ip_version: 4, enable_dhcp: true };
const alsoServed: Subnet = { ...served, network_id: 'also-served' };
const unserved: Subnet = { network_id: 'unserved', ip_version: 4, enable_dhcp: false };
const newer: Subnet = { network_id: 'newer', ip_version: 6, enable_dhcp: true };
const dual: Subnet[] = [4, 6].map((version) => ({
  network_id: 'dual',
  ip_version: version as 4 | 6,
  enable_dhcp: true,
}));
const mixed: Subnet[] = [true, false].map((enable_dhcp) => ({
  network_id: 'mixed',
  ip_version: 4,
  enable_dhcp,
}));
const subnets = [served, alsoServed, unserved, newer, ...dual, ...mixed];

const client = {
  network: {
    // The port is named after its network.
    ports: { get: async (id: string) => ({ network_id: id }) },
    subnets: {
      list: async ({ network_id }: { network_id: readonly string[] }) =>
        subnets.filter((subnet) => network_id.includes(subnet.network_id)),
    },
  },
} as unknown as BoundClient;

describe('a config drive', () => {
  for (const [networks, isNeeded] of [
    [['served'], false],
    [['dual'], false],
    [['served', 'also-served'], false],
    [['unserved'], true],
    [['mixed'], true],
    [['newer'], true],
    [['served', 'unserved'], true],
    [['without-subnets'], true],
  ] as const) {
    it(`is ${isNeeded ? 'needed' : 'not needed'} in ${networks.join(' and ')}`, async () => {
      const ofNetworks = networks.map((uuid) => ({ uuid }));
      const ofPorts = networks.map((port) => ({ port }));

      assert.equal(await needsConfigDrive(client, ofNetworks), isNeeded);
      assert.equal(await needsConfigDrive(client, ofPorts), isNeeded);
    });
  }
});
