import type { LiteCluster } from '@gateway/lite';
import { requireState } from '../../saga/index.ts';
import type { CreateLiteClusterStepContext } from './saga.ts';

type NodeAddress = Pick<LiteCluster, 'fixedIp' | 'hasFloatingIp'> & { serverIp: string };

/**
 * The control node's addresses. The gateway connects to the reported address, and the node belongs to a
 * tenant. The address therefore counts only where the configuration allows it.
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
