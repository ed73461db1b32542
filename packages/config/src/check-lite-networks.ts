import type { LiteConfig } from './lite-config.ts';
import { networksOverlap } from './networks-overlap.ts';

export function checkLiteNetworks({
  podCidr,
  serviceCidr,
}: Pick<LiteConfig, 'podCidr' | 'serviceCidr'>): string[] {
  if (!networksOverlap(podCidr, serviceCidr)) return [];
  return [`"lite.pod_cidr" (${podCidr}) and "lite.service_cidr" (${serviceCidr}) must not overlap`];
}
