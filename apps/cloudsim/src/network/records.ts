import { newUuid } from '../common/ids.ts';
import { type JsonObject, stringAt } from '../common/json.ts';
import { badRequest, forbidden, notFound } from '../common/service-error.ts';
import { seconds } from '../common/timestamps.ts';
import type { Caller } from '../http/operation.ts';
import { owns } from '../http/policy.ts';
import type { NetworkCloud } from './cloud.ts';
import type { NetworkRecord } from './state.ts';

/** The common fields of a new record. Only administrators can create records for other projects. */
export function newRecord(cloud: NetworkCloud, caller: Caller, input: JsonObject): NetworkRecord {
  const now = seconds(cloud.clock.now());
  const projectId = stringAt(input, 'project_id') ?? stringAt(input, 'tenant_id') ?? caller.projectId;
  if (!owns(caller, projectId)) throw forbidden('rule:create is disallowed by policy');
  return {
    id: newUuid(),
    project_id: projectId,
    description: stringAt(input, 'description') ?? '',
    tags: [],
    created_at: now,
    updated_at: now,
    revision_number: 1,
  };
}

export function touch(cloud: NetworkCloud, record: NetworkRecord): void {
  record.updated_at = seconds(cloud.clock.now());
  record.revision_number += 1;
}

/**
 * A record that the caller may change.
 * @throws 404 when the caller cannot see the record, 403 when they can only see it
 */
export function requireOwned<T extends NetworkRecord>(
  caller: Caller,
  record: T | undefined,
  isVisible: boolean,
  rule: string,
  notFoundError: () => Error,
): T {
  if (record === undefined || (!isVisible && !owns(caller, record.project_id))) throw notFoundError();
  if (!owns(caller, record.project_id)) throw forbidden(`rule:${rule} is disallowed by policy`);
  return record;
}

export function requireString(input: JsonObject, key: string): string {
  const value = stringAt(input, key);
  if (value === undefined)
    throw badRequest(`Failed to parse request. Required attribute '${key}' not specified`, 'HTTPBadRequest');
  return value;
}

export function rejectUnknownFields(input: JsonObject, allowed: readonly string[]): void {
  const unknown = Object.keys(input).filter((key) => !allowed.includes(key));
  if (unknown.length === 0) return;
  const quoted = unknown.map((key) => `'${key}'`).join(', ');
  throw badRequest(`Unrecognized attribute(s) ${quoted}`, 'HTTPBadRequest');
}

/** The 404 error of each kind of record. */
export const notFoundErrors = {
  network: (id: string) => notFound(`Network ${id} could not be found.`, 'NetworkNotFound'),
  subnet: (id: string) => notFound(`Subnet ${id} could not be found.`, 'SubnetNotFound'),
  port: (id: string) => notFound(`Port ${id} could not be found.`, 'PortNotFound'),
  router: (id: string) => notFound(`Router ${id} could not be found`, 'RouterNotFound'),
  floatingip: (id: string) => notFound(`Floating IP ${id} could not be found`, 'FloatingIPNotFound'),
  security_group: (id: string) => notFound(`Security group ${id} does not exist`, 'SecurityGroupNotFound'),
  security_group_rule: (id: string) =>
    notFound(`Security group rule ${id} does not exist`, 'SecurityGroupRuleNotFound'),
};
