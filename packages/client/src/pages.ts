import { GatewayError } from './gateway-error.ts';

export interface Page<Item> {
  items: Item[];
  next_marker: string | null;
}

/**
 * All items of a paginated list, read page by page:
 * `eachItem((marker) => gateway.request('GET /api/jobs', { query: { limit: 100, marker } }))`
 *
 * See `eachRow` for items that go meanwhile.
 */
export async function* eachItem<Item>(
  read: (marker: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, void> {
  const parts = eachPart(async (marker) => {
    const { items, next_marker } = await read(marker);
    return { rows: items, next: next_marker };
  }, idOf);
  for await (const rows of parts) yield* rows;
}

/** What `eachRow` asks for. */
export interface RowsQuery {
  limit: number;
  marker?: string;
}

/**
 * All rows of a list, read in parts of `limit` rows, 100 by default:
 * `eachRow((part) => gateway.request('GET /api/volumes', { query: { ...part, status: 'available' } }))`
 *
 * If the row after which a part begins has gone meanwhile, the list is read again from its start, once,
 * without the rows that were already returned.
 *
 * @param markerOf what identifies a row of the list: its `id` by default
 */
export async function* eachRow<Row extends object>(
  read: (part: RowsQuery) => Promise<Row[]>,
  limit = 100,
  markerOf: (row: Row) => string = idOf,
): AsyncGenerator<Row, void, void> {
  const parts = eachPart(async (marker) => {
    const rows = await read({ limit, ...(marker !== undefined && { marker }) });
    const last = rows.at(-1);
    return { rows, next: last === undefined || rows.length < limit ? null : markerOf(last) };
  }, markerOf);
  for await (const rows of parts) yield* rows;
}

async function* eachPart<Row>(
  read: (marker: string | undefined) => Promise<{ rows: Row[]; next: string | null }>,
  markerOf: (row: Row) => string,
): AsyncGenerator<Row[], void, void> {
  const returned = new Set<string>();
  let marker: string | undefined;
  for (let mayRestart = true; ; ) {
    const part = await read(marker).catch((error: unknown) => {
      if (marker === undefined || !mayRestart || !isUnknownMarker(error)) throw error;
      return null;
    });
    if (part === null) {
      mayRestart = false;
      marker = undefined;
      continue;
    }
    const added = part.rows.filter((row) => !returned.has(markerOf(row)));
    for (const row of added) returned.add(markerOf(row));
    yield added;
    if (part.next === null) return;
    marker = part.next;
  }
}

function isUnknownMarker(error: unknown): boolean {
  return error instanceof GatewayError && error.errors.some(({ field }) => field === 'query.marker');
}

/** @throws TypeError for a row without an id: all of them would be taken for the same. */
function idOf(row: unknown): string {
  const { id } = row as { id?: unknown };
  if (id === undefined) throw new TypeError('The rows have no id: pass what identifies them to eachRow.');
  return String(id);
}
