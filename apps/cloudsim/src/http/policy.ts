import { forbidden, type ServiceError } from '../common/service-error.ts';
import type { Call, Caller } from './operation.ts';

/** Whether the caller may use what the project has. Administrators may use everything. */
export function owns({ isAdmin, projectId }: Caller, owner: string | null): boolean {
  return isAdmin || owner === projectId;
}

/** A record that the caller owns. @throws `missing(id)`, also for a record of another project */
export function findOwned<T extends { projectId: string }>(
  records: ReadonlyMap<string, T>,
  caller: Caller,
  id: string,
  missing: (id: string) => Error,
): T {
  const record = records.get(id);
  if (record === undefined || !owns(caller, record.projectId)) throw missing(id);
  return record;
}

/** The error of services that name the rule: compute, block storage and shared file systems. */
export function denied(rule: string): ServiceError {
  return forbidden(`Policy doesn't allow ${rule} to be performed.`);
}

export function requireAdmin({ caller }: Pick<Call, 'caller'>, rule: string): void {
  if (!caller.isAdmin) throw denied(rule);
}
