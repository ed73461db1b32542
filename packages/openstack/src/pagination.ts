import type { ServiceName } from '@gateway/config';
import { unusableAnswer } from './failure.ts';

type Page = Record<string, unknown>;

/** More than any list has; a service that goes on beyond it is not answering sense. */
const maxPages = 1000;

/**
 * Follows a list to its end: `<key>_links` with rel `next` (compute, block storage, network), or `next` (image, and
 * others). Only the query of a next link is taken: behind a proxy its host may be one that can not be reached.
 */
export async function collectPages<T>(
  fetchPage: (search: string) => Promise<Page>,
  key: string,
  firstSearch: string,
  about: { service: ServiceName; operation: string },
): Promise<T[]> {
  const first = await fetchPage(firstSearch);
  const items = itemsOf<T>(first, key, about);
  let search = nextSearch(first, key);
  if (search === null || items.length === 0) return items;

  const all = [...items];
  const seen = new Set([firstSearch]);
  while (search !== null) {
    if (seen.has(search) || seen.size >= maxPages)
      throw unusableAnswer(about, { status: 200 }, 'The pages of a list do not end.');
    seen.add(search);
    const page: Page = await fetchPage(search);
    const more = itemsOf<T>(page, key, about);
    if (more.length === 0) break;
    for (const item of more) all.push(item);
    search = nextSearch(page, key);
  }
  return all;
}

/** One page of a list, for a caller who turns the pages himself. */
export interface ListPage<T> {
  items: T[];
  /** The service has more after the last of these. */
  hasMore: boolean;
}

export function readPage<T>(
  body: Record<string, unknown>,
  key: string,
  about: { service: ServiceName; operation: string },
): ListPage<T> {
  const items = itemsOf<T>(body, key, about);
  return { items, hasMore: items.length > 0 && nextSearch(body, key) !== null };
}

function itemsOf<T>(page: Page, key: string, about: { service: ServiceName; operation: string }): T[] {
  const items = page[key];
  if (!Array.isArray(items)) throw unusableAnswer(about, { status: 200 }, `The answer has no list "${key}".`);
  return items as T[];
}

function nextSearch(page: Page, key: string): string | null {
  const links = page[`${key}_links`];
  const href = Array.isArray(links)
    ? links.find((link: { rel?: string }) => link.rel === 'next')?.href
    : page.next;
  if (typeof href !== 'string' || href === '') return null;
  return new URL(href, 'http://relative').search;
}
