export interface Page<Item> {
  items: Item[];
  next_marker: string | null;
}

/**
 * All items of a paginated list, read page by page:
 * `eachItem((marker) => gateway.request('GET /api/jobs', { query: { limit: 100, marker } }))`
 */
export async function* eachItem<Item>(
  read: (marker: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, void> {
  let marker: string | null | undefined;
  while (marker !== null) {
    const page: Page<Item> = await read(marker);
    yield* page.items;
    marker = page.next_marker;
  }
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
 * @param markerOf what identifies a row of the list: its `id` by default
 */
export async function* eachRow<Row extends object>(
  read: (part: RowsQuery) => Promise<Row[]>,
  limit = 100,
  markerOf: (row: Row) => string = idOf,
): AsyncGenerator<Row, void, void> {
  let part: RowsQuery = { limit };
  for (;;) {
    const rows = await read(part);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return;
    part = { limit, marker: markerOf(last) };
  }
}

function idOf(row: object): string {
  return String((row as { id?: unknown }).id);
}
