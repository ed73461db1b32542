export type QueryValue = string | number | boolean | readonly string[] | undefined;

/** Filters of a list as the service spells them; what is undefined is left out, an array is repeated. */
export type Query = Readonly<Record<string, QueryValue>>;

/** `?a=1&b=2`, or nothing. */
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

/** Rows asked for at once, and the id of the row they begin after. */
export type PageQuery = { limit?: number; marker?: string };
