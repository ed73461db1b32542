import { mapInSlices } from '@gateway/core';
import type { CachedList, ListSources, LoadSources } from './cached-list.ts';
import { promptOptionalRead } from './optional-read.ts';

/** Names by ids. An id without an entry has no name that the reader may know, or none is known for now. */
export type Names = ReadonlyMap<string, string>;

/** The result of a list of names. */
export interface Named {
  id: string;
  name: string;
}

interface Nameable {
  id: string;
  name?: string | null;
}

/**
 * Reads names for these ids; may return more. Never fails because a service is unavailable, slow or refuses.
 */
export type NameSource = (
  sources: ListSources | LoadSources,
  ids: ReadonlySet<string>,
) => Promise<Names> | Names;

/** The fields of a row with the ids of other resources, beside which it has a field for their names. */
type NamedIdFields<Row> = {
  [Field in keyof Row]: Field extends `${infer Other}_id`
    ? `${Other}_name` extends keyof Row
      ? Field
      : never
    : Field extends `${infer Others}_ids`
      ? `${Others}_names` extends keyof Row
        ? Field
        : never
      : never;
}[keyof Row];

/**
 * Fills the names beside ids: `network_name` beside `network_id`, `connected_subnet_names` beside
 * `connected_subnet_ids`. A name that is not known is null. Each source is read once for all rows, and not at
 * all if no row has an id for it. Returns the rows.
 */
export async function addNames<Row extends object>(
  sources: ListSources | LoadSources,
  rows: Row[],
  fields: { [Field in NamedIdFields<Row>]?: NameSource },
): Promise<Row[]> {
  const all = rows as unknown as Record<string, unknown>[];
  await Promise.all(
    Object.entries<NameSource | undefined>(fields).map(async ([field, source]) => {
      if (source === undefined) return;
      const ids = new Set(all.flatMap((row) => idsIn(row[field])));
      if (ids.size === 0) return;
      const names = await source(sources, ids);
      const nameField = field.replace(/_id(s?)$/, '_name$1');
      await mapInSlices(all, (row) => {
        row[nameField] = namesOf(row[field], names);
      });
    }),
  );
  return rows;
}

/** The same for one row. */
export async function withNames<Row extends object>(
  sources: ListSources | LoadSources,
  row: Row,
  fields: { [Field in NamedIdFields<Row>]?: NameSource },
): Promise<Row> {
  await addNames(sources, [row], fields);
  return row;
}

function idsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value as string[];
  return typeof value === 'string' && value !== '' ? [value] : [];
}

function namesOf(value: unknown, names: Names): (string | null) | (string | null)[] {
  const nameOf = (id: string) => names.get(id) ?? null;
  return Array.isArray(value) ? (value as string[]).map(nameOf) : nameOf(String(value));
}

/** Names from a cached list. Without it, rows have no names, and the list that shows them is incomplete. */
export function namesFrom(list: CachedList<readonly Named[]>): NameSource {
  return namesRead((sources) => list.read(sources));
}

/** The same from the records that a call returns. */
export function namesRead(
  read: (sources: ListSources | LoadSources) => Promise<readonly Nameable[]>,
): NameSource {
  return async (sources) => toNames(await promptOptionalRead(sources, read(sources), []));
}

/** Names that a caller has read already. */
export function knownNames(records: readonly Nameable[]): NameSource {
  const names = toNames(records);
  return () => names;
}

/** The reader's own project, whose name the token has. Members of a project do not know other projects. */
export const ownProjectName: NameSource = ({ reader: { projectId, projectName } }) =>
  new Map([[projectId, projectName]]);

export const NO_NAMES: Names = new Map();

function toNames(records: readonly Nameable[]): Names {
  return new Map(records.map(({ id, name }) => [id, name ?? '']));
}
