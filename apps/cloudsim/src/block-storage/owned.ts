import { notFound } from '../common/service-error.ts';
import type { Caller } from '../http/operation.ts';

/**
 * A record of the caller's project. Administrators can read all records. The error message contains
 * `noun`, such as `Backup`.
 */
export function findOwned<T extends { projectId: string }>(
  records: ReadonlyMap<string, T>,
  noun: string,
  caller: Caller,
  id: string,
): T {
  const record = records.get(id);
  if (record === undefined || (!caller.isAdmin && record.projectId !== caller.projectId))
    throw notFound(`${noun} ${id} could not be found.`);
  return record;
}
