import { createHash } from 'node:crypto';
import type { LiteClusterHealth } from './health.ts';

/** Checks that began together move apart by up to this part of the interval each time. */
const SPREAD = 0.2;

/**
 * Whether a cluster needs a new check. The interval differs a little by cluster and by check, so that the checks of many
 * clusters do not stay together after an outage.
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

/** The same number from 0 to 1 for the same text. */
function fractionOf(text: string): number {
  return (createHash('sha256').update(text).digest()[0] ?? 0) / 255;
}
