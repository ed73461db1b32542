import { type LoadBalancerQuota, quotaValues } from '@gateway/resources';
import type { RequestContext } from '../../pipeline/request-context.ts';

export async function getLoadBalancerQuota({
  caller,
  openstack,
}: RequestContext): Promise<LoadBalancerQuota> {
  return quotaValues(await openstack.loadBalancer.quotas.getUsage(caller.identity.projectId));
}
