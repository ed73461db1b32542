import { type ShapeType, shape } from '@gateway/core/shapes';
import { quotaValue } from './quota-value.ts';

export const loadBalancerQuotaShape = shape('LoadBalancerQuota', {
  load_balancers: quotaValue(),
  listeners: quotaValue(),
  pools: quotaValue(),
  members: quotaValue(),
  health_monitors: quotaValue(),
});

/** The limits and usage of a project's load balancers and what is below them. */
export type LoadBalancerQuota = ShapeType<typeof loadBalancerQuotaShape>;
