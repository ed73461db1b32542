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
