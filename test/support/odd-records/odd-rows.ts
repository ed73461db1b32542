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
  /** By this field rows are chosen. */
  isChosenBy: boolean;
  /** Without this field the row is none. */
  isKey: boolean;
  /** Its list shows it. */
  isRow: boolean;
}

/**
 * The fields by which rows are chosen, by record: those of others are left out of lists and not found, and so
 * are those that seem to belong to another resource.
 */
const CHOSEN_BY: Readonly<Record<string, readonly string[]>> = {
  backup: ['os-backup-project-attr:project_id'],
  cluster: ['project_id'],
  cluster_template: ['hidden', 'public'],
  container: ['project_id'],
  export_location: ['is_admin_only'],
  floating_ip: ['project_id'],
  load_balancer: ['project_id'],
  network: ['project_id', 'router:external', 'shared'],
  pool: ['healthmonitor_id', 'loadbalancers', 'project_id'],
  port: ['device_id', 'device_owner', 'fixed_ips', 'project_id'],
  router: ['project_id'],
  security_group: ['project_id'],
  security_service: ['project_id'],
  server: ['OS-EXT-SRV-ATTR:host', 'OS-EXT-SRV-ATTR:hypervisor_hostname', 'tenant_id', 'user_id'],
  share: ['metadata', 'project_id', 'user_id'],
  share_network: ['project_id'],
  snapshot: ['os-extended-snapshot-attributes:project_id', 'project_id'],
  subnet: ['network_id'],
  volume: ['os-vol-tenant-attr:tenant_id', 'user_id'],
};

/** What holds ids, or names of hosts. */
const ID_NAME = /(?:^|_)ids?$|^(?:host|owner|security_groups)$/;

/** Copies of a row, each odd in one value: every declared field, and what is within, has every odd value. */
export function oddRows(place: Place, copy: (row: Row) => Row): OddRow[] {
  const { record, row } = place;
  const samples = sampleOf(z.toJSONSchema(record.schema, { io: 'input' })) as Row;
  const keys = keysOf(record);
  return Object.keys(record.fields).flatMap((field) => {
    const whole = { ...row, [field]: isEmpty(row[field]) ? samples[field] : row[field] };
    return pathsIn(whole[field], [field]).flatMap((path) =>
      Object.entries(oddValues).flatMap(([kind, value]) => {
        const isKey = keys.includes(field);
        if (kind === LONG && (isKey || isId(path))) return [];
        const odd = withValue(copy(path.length === 1 ? row : whole), path, value) as Row;
        const isRow = isReadable(place, odd);
        const name = `${record.name}.${path.join('.')}: ${kind}`;
        const isChosenBy = CHOSEN_BY[record.name]?.includes(field) === true;
        return [{ row: odd, name, field, isChosenBy, isKey, isRow }];
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
