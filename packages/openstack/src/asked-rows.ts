import type { ItemShape } from '@gateway/core';
import { listedCollection, type OnlyProject, PROJECT_KEYS } from './only-project.ts';

type Row = Record<string, unknown>;

const METADATA = 'metadata';

/**
 * The fields of a row that have the value of a filter. Filters that are no exact comparison are left out:
 * names in the compute service (patterns) and in the identity service (which ignores case).
 */
const FIELDS: Record<string, readonly string[]> = {
  project_id: PROJECT_KEYS,
  owner: ['owner'],
  host: ['OS-EXT-SRV-ATTR:host'],
  ...Object.fromEntries(
    [
      'id',
      'user_id',
      'domain_id',
      'trustor_user_id',
      'trustee_user_id',
      'instance_uuid',
      'source_compute',
      'volume_id',
      'share_id',
      'network_id',
      'device_id',
      'device_owner',
      'port_id',
      'router_id',
      'floating_network_id',
      'security_group_id',
      'description',
      METADATA,
    ].map((name) => [name, [name]]),
  ),
};

/**
 * Filters for marks of the gateway. A service without such a field ignores the filter and shows rows of
 * others, which must not count as marked.
 */
const MARKS = new Set(['description', METADATA]);

/** In the place of a row that is not in the list: the query did not ask for it, or it cannot be read. */
export const LEFT_OUT = Symbol('left out');

/**
 * A shape that marks the rows which differ from a filter of the request, because services ignore some filters
 * without an error: for users without the role that a filter needs, or in combination with others. A row
 * without the field stays: it is not shown to this caller, who then sees nothing of others either. A row
 * without a mark does not stay.
 *
 * @param url with the query of the request
 * @param only the project of the client, for the lists of what belongs to one project
 */
export function shapeOfAsked(shape: ItemShape, url: string, only: OnlyProject | undefined): ItemShape {
  const { pathname, searchParams } = new URL(url);
  const filters = Object.keys(FIELDS)
    .filter((name) => searchParams.has(name))
    .map((name) => [name, FIELDS[name] ?? [], new Set(searchParams.getAll(name))] as const);
  if (only !== undefined && listedCollection(only, pathname)) {
    filters.push(['project_id', PROJECT_KEYS, new Set([only.projectId])]);
  }
  if (filters.length === 0) return shape;
  const isAsked = (row: Row | null) =>
    filters.every(([filter, fields, values]) => {
      const field = fields.find((name) => (row?.[name] ?? null) !== null);
      if (field === undefined) return !MARKS.has(filter);
      return filter === METADATA ? hasPairs(row?.[field], values) : values.has(String(row?.[field]));
    });
  return { ...shape, present: (item) => (isAsked(item as Row | null) ? shape.present(item) : LEFT_OUT) };
}

/** The rows without those that are left out. */
export function keptRows<T>(rows: readonly T[]): T[] {
  return rows.filter((row) => (row as unknown) !== LEFT_OUT);
}

/** Metadata is filtered by a JSON object whose pairs all must be there. */
function hasPairs(metadata: unknown, filters: ReadonlySet<string>): boolean {
  if (typeof metadata !== 'object' || metadata === null) return false;
  return [...filters].some((filter) =>
    Object.entries(JSON.parse(filter) as Row).every(([key, wanted]) => (metadata as Row)[key] === wanted),
  );
}
