import type { LoadBalancerQuota } from '@gateway/resources';
import { shape } from '../../http/schemas/fields.ts';
import { quotaValue } from '../file-storage/schemas.ts';

export const loadBalancerQuotaShape = shape<LoadBalancerQuota>('LoadBalancerQuota', {
  load_balancers: quotaValue(),
  listeners: quotaValue(),
  pools: quotaValue(),
  members: quotaValue(),
  health_monitors: quotaValue(),
});
