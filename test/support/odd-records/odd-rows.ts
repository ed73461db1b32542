import { randomUUID } from 'node:crypto';
import type { declaredRecords } from '@gateway/openstack';
import { z } from 'zod';
import { isReadable, type Place } from './observed-reads.ts';
import { ABSENT, LONG, oddValues } from './odd-values.ts';

type Declaration = ReturnType<typeof declaredRecords>[number];
type Row = Record<string, unknown>;
type Path = readonly (string | number)[];

/** A row of which one value is odd. */
export interface OddRow {
  row: Row;
  /** `server.addresses.demo.0.addr: null`. */
  name: string;
  /** The declared field that is odd, or has the odd value somewhere within. */
  field: string;
  /** Its list shows it. */
  isRow: boolean;
}

/**
 * By these fields rows are chosen: a list leaves out those that differ from what was asked for, and what
 * belongs to others is not found.
 */
const CHOSEN_BY = new Set([
  'OS-EXT-SRV-ATTR:host',
  'description',
  'device_id',
  'device_owner',
  'fixed_ips',
  'healthmonitor_id',
  'is_admin_only',
  'loadbalancers',
  'metadata',
  'network_id',
  'os-vol-tenant-attr:tenant_id',
  'owner',
  'port_id',
  'project_id',
  'public',
  'router_id',
  'security_group_id',
  'share_id',
  'tenant_id',
  'user_id',
  'volume_id',
]);

const ID_NAME = /(?:^|_)ids?$|^security_groups$/;

export function decidesWhose(field: string): boolean {
  return CHOSEN_BY.has(field);
}

/** Copies of a row, each odd in one value: every declared field, and what is within, has every odd value. */
export function oddRows(place: Place, copy: (row: Row) => Row): OddRow[] {
  const { record, row } = place;
  const samples = sampleOf(z.toJSONSchema(record.schema, { io: 'input' })) as Row;
  const keys = keysOf(record);
  return Object.keys(record.fields).flatMap((field) => {
    const whole = { ...row, [field]: isEmpty(row[field]) ? samples[field] : row[field] };
    return pathsIn(whole[field], [field]).flatMap((path) =>
      Object.entries(oddValues).flatMap(([kind, value]) => {
        if (kind === LONG && (keys.includes(field) || isId(path))) return [];
        const odd = withValue(copy(path.length === 1 ? row : whole), path, value) as Row;
        const isRow = isReadable(place, odd);
        return [{ row: odd, name: `${record.name}.${path.join('.')}: ${kind}`, field, isRow }];
      }),
    );
  });
}

/** Also the items of a list of ids. */
function isId(path: Path): boolean {
  return ID_NAME.test(String(path.findLast((part) => typeof part === 'string')));
}

/** A copy that is another row. */
export function withFreshKeys(record: Declaration, row: Row): Row {
  const fresh = keysOf(record)
    .filter((key) => typeof row[key] === 'string')
    .map((key) => [key, randomUUID()]);
  return { ...structuredClone(row), ...Object.fromEntries(fresh) };
}

/** The fields without which a row of the record is none. */
function keysOf({ fields }: Declaration): string[] {
  return Object.keys(fields).filter((field) => !(fields[field] as z.ZodType).safeParse(undefined).success);
}

/** The paths of a value and of all values within; one item stands for all of a list. */
function pathsIn(value: unknown, path: Path): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const parts = Array.isArray(value) ? [...value.keys()].slice(0, 1) : Object.keys(value);
  return [path, ...parts.flatMap((part) => pathsIn((value as Row)[part], [...path, part]))];
}

function withValue(whole: unknown, [first, ...rest]: Path, value: unknown): unknown {
  if (first === undefined) return value;
  const copy = (Array.isArray(whole) ? [...whole] : { ...(whole as object) }) as Record<
    string | number,
    unknown
  >;
  const part = withValue(copy[first], rest, value);
  if (part !== ABSENT) copy[first] = part;
  else if (Array.isArray(copy)) copy.splice(Number(first), 1);
  else delete copy[first];
  return copy;
}

/** Stands for values that the row does not have. */
function sampleOf(schema: z.core.JSONSchema.BaseSchema): unknown {
  const { additionalProperties, anyOf, items, properties, type } = schema;
  if (anyOf !== undefined) {
    return sampleOf((anyOf.find((each) => each.type !== 'null') ?? {}) as z.core.JSONSchema.BaseSchema);
  }
  if (properties !== undefined) {
    const parts = Object.entries(properties);
    return Object.fromEntries(parts.map(([name, part]) => [name, sampleOf(part as typeof schema)]));
  }
  if (type === 'array') return [sampleOf((items ?? {}) as typeof schema)];
  if (type === 'object') return { sample: sampleOf((additionalProperties || {}) as typeof schema) };
  if (type === 'integer' || type === 'number') return 1;
  return type === 'boolean' ? true : 'sample';
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === undefined || value === null;
  return Object.keys(value).length === 0;
}
