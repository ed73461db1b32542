import { type ParsedUrlQuery, parse } from 'node:querystring';
import { invalidInput } from '@gateway/core';

/**
 * The texts of a query, by name.
 * @throws 400 when it is not percent-encoded UTF-8, which Node would read as something else.
 */
export function readQuery(query: string | null): ParsedUrlQuery {
  const text = query ?? '';
  try {
    decodeURIComponent(text);
  } catch (cause) {
    throw invalidInput('The address is malformed.', { cause });
  }
  return parse(text);
}
