import type { ServiceName } from '@gateway/platform';
import { invalidResponseError } from './errors/from-response.ts';
import { UpstreamError } from './errors/index.ts';
import { serviceTitles } from './service-titles.ts';

type Page = Record<string, unknown>;

/** For error messages. */
interface ListContext {
  service: ServiceName;
  operation: string;
}

/** More pages than any list has. A service that sends more repeats them without end. */
const MAX_PAGES = 1000;

/** How soon a list that changed while it was read may be asked for again. */
const RETRY_AFTER_SECONDS = 1;

/** A later page of a list could not be read, because the row after which it begins is gone. */
class ListChangedError extends UpstreamError {
  constructor({ operation, service }: ListContext, cause?: UpstreamError) {
    const detail = `A list of the ${serviceTitles[service]} service changed while it was read.`;
    super(503, 'upstream_unavailable', detail, {
      service,
      operation,
      upstreamStatus: cause?.upstreamStatus ?? null,
      upstreamMessage: cause?.upstreamMessage ?? null,
      upstreamRequestId: cause?.upstreamRequestId ?? null,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
}

/**
 * Reads a list from its start, and once more if a row that a page begins after went meanwhile. `read` gets
 * its later pages with `laterPage`.
 *
 * @throws 503 if such a row goes again
 */
export async function readWhole<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ListChangedError)) throw error;
    return read();
  }
}

/**
 * A page after a row that the service itself has listed. Its refusal is no fault of the request: the row is
 * gone. Services say so with 400 or 404.
 */
export async function laterPage<T>(page: Promise<T>, context: ListContext): Promise<T> {
  try {
    return await page;
  } catch (error) {
    const isGone = error instanceof UpstreamError && [400, 404].includes(error.status);
    throw isGone ? new ListChangedError(context, error) : error;
  }
}

/**
 * Fetches all pages of a list. The next link is `<key>_links` with rel `next` (compute, block storage,
 * network), `links.next` (identity, if it paginates), or `next` (image and others). Only the link's query is
 * used: its host may be unreachable behind a proxy. Parameters of the first request that the link lacks are
 * sent again: the links of some services, such as containers and load balancers, have no filters, and lead
 * to the pages of another list. See also `readWhole`.
 */
export function collectPages<T>(
  fetchPage: (search: string) => Promise<Page>,
  key: string,
  firstSearch: string,
  context: ListContext,
): Promise<T[]> {
  return readWhole(() => followLinks(fetchPage, key, firstSearch, context));
}

async function followLinks<T>(
  fetchPage: (search: string) => Promise<Page>,
  key: string,
  firstSearch: string,
  context: ListContext,
): Promise<T[]> {
  const first = await fetchPage(firstSearch);
  const all = itemsOf<T>(first, key, context);
  const searchAfter = (page: Page): string | null => {
    const search = nextSearch(page, key);
    return search === null ? null : withMissing(search, firstSearch);
  };
  let search = searchAfter(first);
  if (search === null || all.length === 0) return all;

  const seen = new Set([firstSearch]);
  while (search !== null) {
    if (seen.has(search) || seen.size >= MAX_PAGES)
      throw invalidResponseError(context, { status: 200 }, 'The pages of the list do not end.');
    seen.add(search);
    const page: Page = await laterPage(fetchPage(search), context);
    const more = itemsOf<T>(page, key, context);
    if (more.length === 0) break;
    for (const item of more) all.push(item);
    search = searchAfter(page);
  }
  return all;
}

/** The query of a link, as it is spelled, and the parameters of the first request that are not in it. */
function withMissing(search: string, firstSearch: string): string {
  const sent = new URLSearchParams(search);
  const missing = new URLSearchParams(
    [...new URLSearchParams(firstSearch)].filter(([name]) => !sent.has(name)),
  );
  if (missing.size === 0) return search;
  return search === '' ? `?${missing}` : `${search}&${missing}`;
}

/**
 * Fetches all pages of a list whose pages begin at an offset. Each later page begins with the last row that
 * is known, because rows that come or go before it move all others. See also `readWhole`.
 *
 * @param isWhole whether no further page is needed; a page without new rows ends the list in any case
 */
export function collectByOffset<T>(
  fetchPage: (offset: number) => Promise<Page>,
  key: string,
  isWhole: (rows: readonly T[], page: Page) => boolean,
  context: ListContext,
): Promise<T[]> {
  return readWhole(async () => {
    const rows: T[] = [];
    for (;;) {
      // A second page at 0 would be the first one.
      const known = rows.length > 1 ? rows.slice(-1) : [];
      const page = await fetchPage(rows.length - known.length);
      const items = itemsOf<T>(page, key, context);
      if (known.some((row) => idOf(row) !== idOf(items[0]))) throw new ListChangedError(context);
      rows.push(...items.slice(known.length));
      if (items.length === known.length || isWhole(rows, page)) return rows;
    }
  });
}

/** Undefined for what is no row. */
function idOf(row: unknown): unknown {
  return (row as { id?: unknown } | undefined)?.id;
}

/** One page of a list, for callers that page through the list themselves. */
export interface ListPage<T> {
  items: T[];
  /** Whether there are items after this page. */
  hasMore: boolean;
}

export function readPage<T>(body: Record<string, unknown>, key: string, context: ListContext): ListPage<T> {
  const items = itemsOf<T>(body, key, context);
  return { items, hasMore: items.length > 0 && nextSearch(body, key) !== null };
}

function itemsOf<T>(page: Page, key: string, context: ListContext): T[] {
  const items = page[key];
  if (!Array.isArray(items))
    throw invalidResponseError(context, { status: 200 }, `The response has no list "${key}".`);
  return items as T[];
}

function nextSearch(page: Page, key: string): string | null {
  const links = page[`${key}_links`];
  const href = Array.isArray(links)
    ? links.find((link: { rel?: string } | null) => link?.rel === 'next')?.href
    : (page.next ?? (page.links as { next?: unknown } | null | undefined)?.next);
  if (typeof href !== 'string' || href === '') return null;
  return URL.parse(href, 'http://relative')?.search ?? null;
}
