/**
 * Leaves out of rows what depends on the reader: the names beside ids, and the allowed actions. For
 * comparisons of what an administrator sees with what members see; both have tests of their own.
 */
export function withoutNames<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => withoutNames(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([key]) => key !== 'allowed_actions' && !isName(key, value));
  return Object.fromEntries(members.map(([key, member]) => [key, withoutNames(member)])) as T;
}

function isName(key: string, row: object): boolean {
  return /_names?$/.test(key) && key.replace(/_name(s?)$/, '_id$1') in row;
}
