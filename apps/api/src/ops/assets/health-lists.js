// What the gateway does for users again and again, and how it goes. Runs in the browser without a build step.
import { request } from './page.js';

export const MAX_SHOWN = 100;

/** From the worst to the best. Clusters that are not ACTIVE have no health. */
const HEALTHS = ['UNHEALTHY', 'UNREACHABLE', 'UNKNOWN', 'DEGRADED', null, 'HEALTHY'];

/** Those that fail or are overdue, and whether there are more. Those without a good run for longest first. */
export async function readAutoBackups() {
  const found = await request('/api/admin/auto-backups?needs_attention=true');
  // The api sorts those that never had a good run last.
  found.sort((one, other) => (one.last_ok_at ?? '').localeCompare(other.last_ok_at ?? ''));
  return { items: found.slice(0, MAX_SHOWN), hasMore: found.length > MAX_SHOWN };
}

/** The worst first; null where lite clusters are switched off. */
export async function readLiteClusters() {
  const found = await request('/api/admin/all-lite-clusters').catch((error) => {
    if (error.code === 'service_disabled') return null;
    throw error;
  });
  if (found === null) return null;
  const rank = ({ health_status }) => HEALTHS.indexOf(health_status);
  return found.sort((one, other) => rank(one) - rank(other));
}

export function isFailing({ health_status }) {
  return health_status === 'UNHEALTHY' || health_status === 'UNREACHABLE';
}
