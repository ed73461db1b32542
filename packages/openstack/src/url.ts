import { notFound } from '@gateway/core';

/** Words in the place of an id that lead to another resource: `/servers/detail` is a list. */
const LIST_WORDS = new Set(['detail', 'summary']);

/**
 * Template tag that URL-encodes the ids in a path. For an id that would lead to another resource (empty, `.`,
 * `..`, `detail`) it throws a 404, before any request is sent.
 */
export function path(texts: TemplateStringsArray, ...ids: string[]): string {
  if (ids.some((id) => LIST_WORDS.has(id))) throw noSuchResource();
  return namePath(texts, ...ids);
}

/**
 * Like `path`, for names that users choose. A name with a slash is a 404, too: services read the path
 * decoded, so no resource of theirs can be found by such a name.
 */
export function namePath(texts: TemplateStringsArray, ...names: string[]): string {
  return texts.reduce((path, text, index) => path + segment(names[index - 1] ?? '') + text);
}

function segment(part: string): string {
  if (part === '' || part === '.' || part === '..' || part.includes('/')) throw noSuchResource();
  return encodeURIComponent(part);
}

function noSuchResource(): Error {
  return notFound('The resource was not found.');
}

type QueryValue = string | number | boolean | readonly string[] | undefined;

/**
 * Query parameters in the service's spelling. Undefined values are left out; an array repeats its parameter.
 */
export type Query = Readonly<Record<string, QueryValue>>;

/** `?a=1&b=2`, or an empty string. */
export function queryString(query: Query | undefined): string {
  if (query === undefined) return '';
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value === 'object') for (const item of value) params.append(name, item);
    else params.append(name, String(value));
  }
  return params.size === 0 ? '' : `?${params}`;
}

/** Page size, and the id of the last item of the previous page. */
export type PageQuery = { limit?: number; marker?: string };
