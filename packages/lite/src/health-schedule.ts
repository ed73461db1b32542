import { fractionOf } from '@gateway/core';
import type { LiteClusterHealth } from './health-shape.ts';

/**
 * Each interval between checks varies by up to this part of its length, so that
 * simultaneous checks spread out.
 */
const SPREAD = 0.2;

/**
 * Whether a cluster is due for a check. The interval varies slightly by cluster and by check, so that the
 * checks of many clusters spread out after an outage.
 */
export function isHealthCheckDue(
  clusterId: string,
  last: LiteClusterHealth | null,
  { intervalMs, now }: { intervalMs: number; now: number },
): boolean {
  if (last?.checked_at == null) return true;
  const shorter = SPREAD * fractionOf(`${clusterId}${last.checked_at}`);
  return Date.parse(last.checked_at) + intervalMs * (1 - shorter) <= now;
}
