import { invalidInput } from '@gateway/core';
import { type ListPage, UpstreamError } from '@gateway/openstack';
import { type Page, type PageQuery, presentPage } from '../http/schemas/page.ts';

/**
 * A page of a list that a service pages by the ids of its rows: one call. Services link to a next page after
 * every full page, so this requests one more row than the page has, to detect a next page.
 *
 * @throws 400 for a marker that the service does not know
 */
export async function readServicePage<Item, Row extends { id: string }>(
  { limit, marker }: PageQuery,
  list: (query: { limit: number; marker?: string }) => Promise<ListPage<Item>>,
  present: (item: Item) => Row,
): Promise<Page<Row>> {
  const { items, hasMore } = await list({ limit: limit + 1, marker }).catch((error: unknown) => {
    throw marker === undefined ? error : explainMarker(error);
  });
  // A service with a lower limit of its own returns fewer rows, and a link.
  const isCapped = items.length <= limit && hasMore;
  const rows = items.slice(0, limit).map((item) => present(item));
  return presentPage(rows, isCapped || items.length > limit);
}

/** The compute service answers 400, block storage 404. */
function explainMarker(error: unknown): unknown {
  if (!(error instanceof UpstreamError) || ![400, 404].includes(error.status)) return error;
  return invalidInput('There is no such item after which a page could begin.', {
    cause: error,
    upstream: error.upstream,
    errors: [{ field: 'query.marker', message: 'must be the id of the last item of a page' }],
  });
}
