import type { LoadBalancerQuotaName } from '@gateway/openstack';
import type { QuotaValue } from './quota-value.ts';

/** The limits and usage of a project's load balancers and what is below them. */
export type LoadBalancerQuota = Record<LoadBalancerQuotaName, QuotaValue>;
