import type { ServerRecord } from './server-records.ts';

/** False for a server whose processors, memory and devices are free for others. */
export function holdsResources(server: ServerRecord): boolean {
  const { status, hostId } = server;
  if (status === 'SHELVED_OFFLOADED') return UNSHELVING.includes(server['OS-EXT-STS:task_state'] ?? '');
  if (status === 'DELETED') return false;
  // A server that failed before it was placed has no host. One whose host is not known may have one.
  return status !== 'ERROR' || hostId !== '';
}

/** The tasks of a shelved server that gets its resources again. Until then, its status stays the same. */
const UNSHELVING = ['unshelving', 'spawning'];
