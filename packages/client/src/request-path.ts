/** The path of a request with its parameters and its query. Fields without a value are omitted. */
export function requestPath(
  template: string,
  path: Record<string, unknown> = {},
  query: Record<string, unknown> = {},
): string {
  const filled = template.replace(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(String(path[name])),
  );
  const fields = Object.entries(query).filter(([_name, value]) => value !== undefined && value !== null);
  if (fields.length === 0) return filled;
  return `${filled}?${new URLSearchParams(fields.map(([name, value]): [string, string] => [name, String(value)]))}`;
}
