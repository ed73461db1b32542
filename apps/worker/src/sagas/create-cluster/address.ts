import type { Cluster } from '@gateway/lite';
import { requireState } from '@gateway/saga';
import type { CreateClusterStepContext } from './saga.ts';

type NodeAddress = Pick<Cluster, 'fixedIp' | 'hasFloatingIp'> & { serverIp: string };

/**
 * The control node's addresses. The node belongs to a tenant, so the address that it reports counts only where the
 * configuration says so: the gateway connects to it.
 */
export async function controlNodeAddress(
  context: CreateClusterStepContext,
  reportedIp: string | undefined,
): Promise<NodeAddress> {
  const fixedIp = requireState(context, 'port').address;
  const floatingIp = await readFloatingIp(context);
  const hasFloatingIp = floatingIp !== null;
  if (context.config.lite.useReportedAddress && reportedIp !== undefined) {
    return { fixedIp, hasFloatingIp, serverIp: reportedIp };
  }
  return { fixedIp, hasFloatingIp, serverIp: floatingIp ?? fixedIp };
}

/** Null for a cluster without one. */
export async function readFloatingIp(context: CreateClusterStepContext): Promise<string | null> {
  const { floatingIpId } = context.state;
  if (floatingIpId === undefined) return null;
  return (await context.owner().network.floatingIps.get(floatingIpId)).floating_ip_address;
}
