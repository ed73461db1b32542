import type { LiteCluster } from './cluster.ts';
import type { Reachability } from './health-statuses.ts';

/** Which address of the control node the gateway connects to. */
export function reachabilityOf({ hasFloatingIp, serverIp }: LiteCluster): Reachability {
  if (serverIp === null) return 'none';
  return hasFloatingIp ? 'floating_ip' : 'fixed_ip';
}
