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
