import type { IncomingMessage } from 'node:http';
import { type ParsedUrlQuery, parse } from 'node:querystring';
import { invalidInput } from '@gateway/core';

/**
 * The parameters of a query string, by name.
 * @throws 400 for a query that is not percent-encoded UTF-8, which Node would decode wrongly.
 */
export function parseQuery(query: string | null): ParsedUrlQuery {
  const text = query ?? '';
  try {
    decodeURIComponent(text);
  } catch (cause) {
    throw invalidInput('The address is malformed.', { cause });
  }
  return parse(text);
}

/** The query string of a request, without the question mark; '' without a query. */
export function queryTextOf({ url = '' }: Pick<IncomingMessage, 'url'>): string {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}
