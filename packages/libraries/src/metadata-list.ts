/**
 * A comma-separated list in metadata. A list that is too long for one value continues in further keys, split
 * between items: `key`, `key_2`, `key_3`. An empty list has no key.
 *
 * @throws when an item is longer than a value, or contains a comma
 */
export function writeList(
  key: string,
  items: readonly string[],
  maxValueLength: number,
): Record<string, string> {
  const values: string[] = [];
  for (const item of items) {
    if (item.includes(',') || item.length > maxValueLength) {
      throw new Error(`${JSON.stringify(item)} cannot be an item of the metadata list ${key}.`);
    }
    const last = values.at(-1);
    if (last !== undefined && last.length + 1 + item.length <= maxValueLength) {
      values[values.length - 1] = `${last},${item}`;
    } else {
      values.push(item);
    }
  }
  return Object.fromEntries(values.map((value, index) => [keyAt(key, index), value]));
}

export function readList(metadata: Readonly<Record<string, string>>, key: string): string[] {
  const items: string[] = [];
  for (let index = 0; ; index++) {
    const value = metadata[keyAt(key, index)];
    if (value === undefined) return items;
    items.push(...value.split(',').filter((item) => item !== ''));
  }
}

function keyAt(key: string, index: number): string {
  return index === 0 ? key : `${key}_${index + 1}`;
}
