/** An id that `fetch` and routers leave out, so that the path is that of another resource. */
const LEFT_OUT = /^\.{0,2}$/;

/**
 * The path of a request with its parameters and its query. Fields without a value are omitted.
 *
 * @throws RangeError for a parameter that is missing, empty, `.` or `..`
 */
export function requestPath(
  template: string,
  path: Record<string, unknown> = {},
  query: Record<string, unknown> = {},
): string {
  const filled = template.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = String(path[name] ?? '');
    if (LEFT_OUT.test(value)) throw new RangeError(`The parameter ${name} of the path is "${value}".`);
    return encodeURIComponent(value);
  });
  const fields = Object.entries(query).filter(([_name, value]) => value !== undefined && value !== null);
  if (fields.length === 0) return filled;
  return `${filled}?${new URLSearchParams(fields.map(([name, value]): [string, string] => [name, String(value)]))}`;
}
