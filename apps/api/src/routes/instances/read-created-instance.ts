import type { BoundClient, FloatingIpRecord } from '@gateway/openstack';
import type { InstanceAddress, InstanceDetail } from '@gateway/resources';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { readInstanceDetail } from '../../resources/read-instance.ts';

/**
 * Reads an instance that has just been created. The compute service shows a new floating IP a second or two
 * late, so floating IPs are read from the network service. If that fails, the instance is shown without them.
 */
export async function readCreatedInstance(
  request: RequestContext,
  instanceId: string,
): Promise<InstanceDetail> {
  const detail = await readInstanceDetail(request, instanceId);
  if (detail.ip_addresses.some(({ type }) => type === 'floating')) return detail;
  const floatingIps = await floatingIpsOf(request.openstack, instanceId).catch((error: unknown) => {
    request.logger.warn('Failed to read the floating IPs of a new instance', { error });
    return [];
  });
  return {
    ...detail,
    ip_addresses: detail.ip_addresses.flatMap((fixed) => [fixed, ...addressesOn(fixed, floatingIps)]),
  };
}

async function floatingIpsOf({ network }: BoundClient, instanceId: string): Promise<FloatingIpRecord[]> {
  const ports = await network.ports.list({ device_id: instanceId });
  return ports.length === 0 ? [] : network.floatingIps.list({ port_id: ports.map(({ id }) => id) });
}

/** The floating IPs of a fixed address, in the format of the compute service. */
function addressesOn(fixed: InstanceAddress, floatingIps: readonly FloatingIpRecord[]): InstanceAddress[] {
  return floatingIps
    .filter(({ fixed_ip_address }) => fixed_ip_address === fixed.addr)
    .map((floating) => ({ ...fixed, addr: floating.floating_ip_address, type: 'floating' }));
}
