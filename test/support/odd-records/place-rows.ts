import type { CloudResponse } from '../doubles/rewriting-cloud.ts';
import type { Place } from './observed-reads.ts';

type Path = readonly (string | number)[];

/** Puts rows at the end of the list of a place, or in the place of its record. */
export function placeRows(place: Place, rows: readonly object[], response: CloudResponse): unknown {
  const { list, url, within } = place;
  const { body, method, path, query } = response;
  if (method !== 'GET' || path !== url || query.has('marker')) return body;
  if (list === null) return rows.length === 0 ? body : put(body, within, rows[0]);
  const items = get(body, list);
  if (!Array.isArray(items)) return body;
  const added = rows.map((row) => put(items[0] ?? {}, within, row));
  // A page after the last one begins with the last row that is known.
  const isLaterPage = Number(query.get('offset') ?? 0) > 0;
  return put(body, list, isLaterPage ? added.slice(-1) : [...items, ...added]);
}

function get(whole: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (part, key) => (part as Record<string | number, unknown> | undefined)?.[key],
    whole,
  );
}

function put(whole: unknown, [first, ...rest]: Path, value: unknown): unknown {
  if (first === undefined) return value;
  const copy = (Array.isArray(whole) ? [...whole] : { ...(whole as object) }) as Record<
    string | number,
    unknown
  >;
  copy[first] = put(copy[first], rest, value);
  return copy;
}
