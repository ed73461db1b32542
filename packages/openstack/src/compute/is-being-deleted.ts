import type { ServerRecord } from './server-records.ts';

export function isBeingDeleted(server: Pick<ServerRecord, 'OS-EXT-STS:task_state'>): boolean {
  return (server['OS-EXT-STS:task_state'] ?? '').includes('delet');
}
