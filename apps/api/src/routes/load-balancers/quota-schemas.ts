import { shapeLike } from '@gateway/core/shapes';
import type { LoadBalancerQuota } from '@gateway/resources';
import { quotaValue } from '@gateway/resources/shapes';

export const loadBalancerQuotaShape = shapeLike<LoadBalancerQuota>('LoadBalancerQuota', {
  load_balancers: quotaValue(),
  listeners: quotaValue(),
  pools: quotaValue(),
  members: quotaValue(),
  health_monitors: quotaValue(),
});
