import { newUuid } from '../common/ids.ts';
import { type JsonObject, numberAt, pythonRepr, stringAt } from '../common/json.ts';
import { badRequest, forbidden, notFound } from '../common/service-error.ts';
import { microseconds } from '../common/timestamps.ts';
import type { Caller } from '../http/operation.ts';
import { owns } from '../http/policy.ts';
import type { LoadBalancerCloud } from './cloud.ts';
import type { LbRecord } from './state.ts';

export function newRecord(cloud: LoadBalancerCloud, caller: Caller, input: JsonObject): LbRecord {
  return {
    id: newUuid(),
    name: stringAt(input, 'name') ?? '',
    projectId: caller.projectId,
    status: 'PENDING_CREATE',
    operatingStatus: 'OFFLINE',
    createdMs: cloud.clock.now(),
    updatedMs: null,
  };
}

/** @throws 404 for an unknown record, 403 for a record of another project */
export function find<T extends LbRecord>(
  caller: Caller,
  records: ReadonlyMap<string, T>,
  title: string,
  id: string,
): T {
  const record = records.get(id);
  if (record === undefined) throw notFound(`${title} ${id} not found.`);
  if (owns(caller, record.projectId)) return record;
  throw forbidden('Policy does not allow this request to be performed.');
}

/** The fields that all records have. */
export function presentRecord(record: LbRecord): Record<string, unknown> {
  return {
    id: record.id,
    name: record.name,
    provisioning_status: record.status,
    operating_status: record.operatingStatus,
    admin_state_up: true,
    project_id: record.projectId,
    tenant_id: record.projectId,
    created_at: timestamp(record.createdMs),
    updated_at: record.updatedMs === null ? null : timestamp(record.updatedMs),
    tags: [],
  };
}

function timestamp(ms: number): string {
  return microseconds(ms).slice(0, 19);
}

export function requireWord(input: JsonObject, key: string, allowed: readonly string[]): string {
  const value = stringAt(input, key);
  if (value !== undefined && allowed.includes(value)) return value;
  throw invalid(input, key, `Value should be one of: ${allowed.join(', ')}`);
}

/** An integer between `min` and `max`. */
export function requireInteger(
  input: JsonObject,
  key: string,
  [min, max]: readonly [number, number],
  fallback?: number,
): number {
  const value = input[key] === undefined ? fallback : numberAt(input, key);
  if (value === undefined) throw invalid(input, key, 'Mandatory field missing.');
  if (value < min) throw invalid(input, key, `Value should be greater or equal to ${min}`);
  if (value > max) throw invalid(input, key, `Value should be lower or equal to ${max}`);
  return value;
}

export function invalid(input: JsonObject, key: string, reason: string): Error {
  return badRequest(
    `Invalid input for field/attribute ${key}. Value: ${pythonRepr(input[key])}. ${reason}`,
    'Client',
  );
}
