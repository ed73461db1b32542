import { newUuid } from '../common/ids.ts';
import { type JsonObject, textAt } from '../common/json.ts';
import { badRequest, forbidden, notFound } from '../common/service-error.ts';
import { seconds } from '../common/timestamps.ts';
import type { Caller } from '../http/operation.ts';
import type { NetworkCloud } from './cloud.ts';
import type { Owned } from './state.ts';

/** The fields that every new record has. Only an administrator creates for another project. */
export function newRecord(cloud: NetworkCloud, caller: Caller, given: JsonObject): Owned {
  const now = seconds(cloud.clock.now());
  const projectId = textAt(given, 'project_id') ?? textAt(given, 'tenant_id') ?? caller.projectId;
  if (projectId !== caller.projectId && !caller.isAdmin)
    throw forbidden('rule:create is disallowed by policy');
  return {
    id: newUuid(),
    project_id: projectId,
    description: textAt(given, 'description') ?? '',
    tags: [],
    created_at: now,
    updated_at: now,
    revision_number: 1,
  };
}

export function touch(cloud: NetworkCloud, record: Owned): void {
  record.updated_at = seconds(cloud.clock.now());
  record.revision_number += 1;
}

export function owns(caller: Caller, record: Owned): boolean {
  return caller.isAdmin || record.project_id === caller.projectId;
}

/** A record the caller may change: what it can not see is not there, what it only sees is forbidden. */
export function changeable<T extends Owned>(
  caller: Caller,
  record: T | undefined,
  sees: boolean,
  rule: string,
  missing: () => Error,
): T {
  if (record === undefined || (!sees && !owns(caller, record))) throw missing();
  if (!owns(caller, record)) throw forbidden(`rule:${rule} is disallowed by policy`);
  return record;
}

export function requireText(given: JsonObject, key: string): string {
  const value = textAt(given, key);
  if (value === undefined)
    throw badRequest(`Failed to parse request. Required attribute '${key}' not specified`, 'HTTPBadRequest');
  return value;
}

export function refuseUnknown(given: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(given).filter((key) => !known.includes(key));
  if (unknown.length === 0) return;
  const quoted = unknown.map((key) => `'${key}'`).join(', ');
  throw badRequest(`Unrecognized attribute(s) ${quoted}`, 'HTTPBadRequest');
}

/** How each kind of record is missed: the exception's name and sentence. */
export const missing = {
  network: (id: string) => notFound(`Network ${id} could not be found.`, 'NetworkNotFound'),
  subnet: (id: string) => notFound(`Subnet ${id} could not be found.`, 'SubnetNotFound'),
  port: (id: string) => notFound(`Port ${id} could not be found.`, 'PortNotFound'),
  router: (id: string) => notFound(`Router ${id} could not be found`, 'RouterNotFound'),
  floatingip: (id: string) => notFound(`Floating IP ${id} could not be found`, 'FloatingIPNotFound'),
  security_group: (id: string) => notFound(`Security group ${id} does not exist`, 'SecurityGroupNotFound'),
  security_group_rule: (id: string) =>
    notFound(`Security group rule ${id} does not exist`, 'SecurityGroupRuleNotFound'),
};
