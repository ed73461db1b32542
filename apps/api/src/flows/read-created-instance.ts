import type { BoundClient, FloatingIpRecord } from '@gateway/openstack';
import type { InstanceAddress, InstanceDetail } from '@gateway/views';
import { sourcesOf } from '../pipeline/cached-list.ts';
import type { RequestContext } from '../pipeline/request-context.ts';
import { readInstanceDetail } from './read-instance.ts';

/**
 * An instance that has just been created. The compute service learns of a new floating IP a second or two late; until
 * then the network service tells it. An instance whose addresses cannot be read is shown without.
 */
export async function readCreatedInstance(
  request: RequestContext,
  instanceId: string,
): Promise<InstanceDetail> {
  const detail = await readInstanceDetail(sourcesOf(request), instanceId);
  if (detail.ip_addresses.some(({ type }) => type === 'floating')) return detail;
  const floatingIps = await floatingIpsOf(request.openstack, instanceId).catch((error: unknown) => {
    request.logger.warn('The floating IPs of a new instance could not be read', { error });
    return [];
  });
  return {
    ...detail,
    ip_addresses: detail.ip_addresses.flatMap((fixed) => [fixed, ...on(fixed, floatingIps)]),
  };
}

async function floatingIpsOf({ network }: BoundClient, instanceId: string): Promise<FloatingIpRecord[]> {
  const ports = await network.ports.list({ device_id: instanceId });
  return ports.length === 0 ? [] : network.floatingIps.list({ port_id: ports.map(({ id }) => id) });
}

/** The floating IPs on a fixed address, as the compute service would show them. */
function on(fixed: InstanceAddress, floatingIps: readonly FloatingIpRecord[]): InstanceAddress[] {
  return floatingIps
    .filter(({ fixed_ip_address }) => fixed_ip_address === fixed.addr)
    .map((floating) => ({ ...fixed, addr: floating.floating_ip_address, type: 'floating' }));
}
