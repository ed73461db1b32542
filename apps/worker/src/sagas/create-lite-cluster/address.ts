import type { LiteCluster } from '@gateway/lite';
import { requireState } from '@gateway/saga';
import type { CreateLiteClusterStepContext } from './saga.ts';

type NodeAddress = Pick<LiteCluster, 'fixedIp' | 'hasFloatingIp'> & { serverIp: string };

/**
 * The control node's addresses. The node belongs to a tenant, so the address that it reports counts only
 * where the configuration says so: the gateway connects to it.
 */
export async function controlNodeAddress(
  context: CreateLiteClusterStepContext,
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
export async function readFloatingIp(context: CreateLiteClusterStepContext): Promise<string | null> {
  const { floatingIpId } = context.state;
  if (floatingIpId === undefined) return null;
  return (await context.owner().network.floatingIps.get(floatingIpId)).floating_ip_address;
}
