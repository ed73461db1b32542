import { GatewayError } from '@gateway/core';
import type { NetworkRecord, SubnetRecord } from '@gateway/openstack';
import { type LiteConfig, networksOverlap } from '@gateway/platform';

type Subnet = Pick<SubnetRecord, 'id' | 'cidr' | 'ip_version'>;

/**
 * The subnet of the nodes and of the addresses of load balancers.
 *
 * @throws 400 if the network has no IPv4 subnet, or one that overlaps with the networks inside the cluster:
 * its addresses would be unreachable from the nodes
 */
export function chooseSubnet(
  { podCidr, serviceCidr }: Pick<LiteConfig, 'podCidr' | 'serviceCidr'>,
  { name }: Pick<NetworkRecord, 'name'>,
  subnets: readonly Subnet[],
): Subnet {
  if (subnets.length === 0) {
    throw unsuitable(`The network ${name} has no subnet that you may see.`, 'must have a subnet');
  }
  const usable = subnets.filter(({ cidr, ip_version }) => cidr !== '' && ip_version === 4);
  const [subnet] = usable;
  if (subnet === undefined) {
    throw unsuitable(
      `The network ${name} has IPv6 subnets only. The nodes of a cluster need IPv4 addresses.`,
      'must have an IPv4 subnet',
    );
  }
  for (const [use, inside] of [
    ['pods', podCidr],
    ['services', serviceCidr],
  ] as const) {
    const overlapping = usable.find(({ cidr }) => networksOverlap(cidr, inside));
    if (overlapping === undefined) continue;
    throw unsuitable(
      `The subnet ${overlapping.cidr} of the network ${name} overlaps with ${inside}, the network of the ${use} ` +
        'inside clusters. Choose another network.',
      `must have no subnet that overlaps with ${inside}`,
    );
  }
  return subnet;
}

function unsuitable(sentence: string, message: string): GatewayError {
  return new GatewayError(400, 'network_required', sentence, {
    errors: [{ field: 'body.network_id', message }],
  });
}
