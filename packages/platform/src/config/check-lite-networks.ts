import type { LiteConfig } from './config.ts';
import { networksOverlap } from './networks-overlap.ts';

export function checkLiteNetworks({
  allowedFrom,
  loadBalancerProvider,
  podCidr,
  serviceCidr,
}: Pick<LiteConfig, 'allowedFrom' | 'loadBalancerProvider' | 'podCidr' | 'serviceCidr'>): string[] {
  const problems: string[] = [];
  if (networksOverlap(podCidr, serviceCidr)) {
    problems.push(`"lite.pod_cidr" (${podCidr}) and "lite.service_cidr" (${serviceCidr}) must not overlap`);
  }
  // These load balancers keep the address of the client, which the security group of the nodes judges.
  if (loadBalancerProvider === 'ovn' && allowedFrom.nodePorts.length === 0) {
    problems.push(
      '"lite.allowed_from.node_ports" must name the networks of the clients if "lite.load_balancer_provider" is ovn',
    );
  }
  return problems;
}
