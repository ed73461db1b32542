const ID_FIELDS = ['id', 'uuid', 'name', 'port_id', 'instance_id', 'volume_id', 'project_id', 'user_id'];

/**
 * The values in a body by their paths. An item of a list has its id in the path if it has one, also where
 * several items have the same.
 */
export function leavesOf(body: unknown): Map<string, string[]> {
  const leaves = new Map<string, string[]>();
  for (const [path, value] of leavesIn(body, '')) {
    const values = leaves.get(path);
    if (values === undefined) leaves.set(path, [value]);
    else values.push(value);
  }
  return leaves;
}

function* leavesIn(value: unknown, path: string): Generator<[string, string]> {
  if (typeof value !== 'object' || value === null) {
    yield [path, JSON.stringify(value)];
    return;
  }
  const parts = Object.entries(value);
  if (parts.length === 0) yield [path, JSON.stringify(value)];
  for (const [key, part] of parts) {
    const isText = typeof part !== 'object' && Array.isArray(value);
    yield* leavesIn(part, isText ? path : `${path}.${Array.isArray(value) ? (idOf(part) ?? key) : key}`);
  }
}

function idOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const row = item as Record<string, unknown>;
  const field = ID_FIELDS.find((each) => typeof row[each] === 'string' && row[each] !== '');
  return field && `[${String(row[field])}]`;
}
