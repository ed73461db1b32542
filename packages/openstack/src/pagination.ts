import type { ServiceName } from '@gateway/config';
import { invalidResponseError } from './errors/from-response.ts';

type Page = Record<string, unknown>;

/** For error messages. */
interface ListContext {
  service: ServiceName;
  operation: string;
}

/** More pages than any list has. A service that sends more repeats them without end. */
const MAX_PAGES = 1000;

/**
 * Fetches all pages of a list. The next link is `<key>_links` with rel `next` (compute, block storage,
 * network), `links.next` (identity, if it paginates), or `next` (image and others). Only the link's query is
 * used: its host may be unreachable behind a proxy.
 */
export async function collectPages<T>(
  fetchPage: (search: string) => Promise<Page>,
  key: string,
  firstSearch: string,
  context: ListContext,
): Promise<T[]> {
  const first = await fetchPage(firstSearch);
  const all = itemsOf<T>(first, key, context);
  let search = nextSearch(first, key);
  if (search === null || all.length === 0) return all;

  const seen = new Set([firstSearch]);
  while (search !== null) {
    if (seen.has(search) || seen.size >= MAX_PAGES)
      throw invalidResponseError(context, { status: 200 }, 'The pages of the list do not end.');
    seen.add(search);
    const page: Page = await fetchPage(search);
    const more = itemsOf<T>(page, key, context);
    if (more.length === 0) break;
    for (const item of more) all.push(item);
    search = nextSearch(page, key);
  }
  return all;
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
    ? links.find((link: { rel?: string }) => link.rel === 'next')?.href
    : (page.next ?? (page.links as { next?: unknown } | undefined)?.next);
  if (typeof href !== 'string' || href === '') return null;
  return new URL(href, 'http://relative').search;
}
