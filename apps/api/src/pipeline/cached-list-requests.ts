import type { Selection } from '@gateway/cache';
import { LRUCache } from 'lru-cache';
import { parseQuery } from '../http/request/query.ts';
import { validateInput } from '../http/request/validate.ts';
import type { AnyEndpoint } from './endpoint.ts';

/** A request that the cache may be able to answer. */
export interface CachedListRequest {
  endpoint: AnyEndpoint;
  /** Undefined for all rows. */
  selection?: Selection;
}

/** Dashboards repeat the same few queries. */
const MAX_QUERIES = 1000;
const MAX_LENGTH = 512;

/** Finds the lists of requests by their addresses. Remembers queries, which are costly to validate. */
export class CachedListRequests {
  readonly #lists: ReadonlyMap<string, CachedListRequest>;
  /** By address, query included. */
  readonly #selecting = new LRUCache<string, CachedListRequest>({ max: MAX_QUERIES });

  constructor(endpoints: readonly AnyEndpoint[]) {
    this.#lists = new Map(endpoints.map((endpoint) => [endpoint.path, { endpoint }]));
  }

  /** Null for another address, for an invalid query, and for one that selects no rows, such as `refresh`. */
  find(url: string): CachedListRequest | null {
    const list = this.#lists.get(url);
    if (list !== undefined) return list;
    const end = url.indexOf('?');
    if (end === -1) return null;
    return this.#selecting.get(url) ?? this.#read(url, end);
  }

  #read(url: string, end: number): CachedListRequest | null {
    const list = this.#lists.get(url.slice(0, end));
    if (list === undefined || url.length > MAX_LENGTH) return null;
    const selection = selectionOf(list.endpoint, url.slice(end + 1));
    if (selection === null) return null;
    const request = { ...list, selection };
    this.#selecting.set(url, request);
    return request;
  }
}

function selectionOf({ listRows, query: schema }: AnyEndpoint, text: string): Selection | null {
  try {
    const { query } = validateInput({ query: schema }, { query: parseQuery(text) });
    if ((query as { refresh?: boolean }).refresh === true) return null;
    return listRows?.selectionOf(query) ?? null;
  } catch {
    // The endpoint answers with the error.
    return null;
  }
}
