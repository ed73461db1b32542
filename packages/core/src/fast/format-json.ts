import { Slices } from './slices.ts';

/** Fewer items are formatted in less than a slice. */
const MANY_ITEMS = 500;
const ITEMS_PER_PART = 32;

/**
 * Yields the output of `JSON.stringify` in parts. Works in slices if the value, or one of its
 * members, is a long list.
 */
export async function* formatJson(value: unknown): AsyncGenerator<string> {
  if (isLongList(value)) yield* formatList(value, new Slices());
  else if (hasLongList(value)) yield* formatObject(value);
  else yield JSON.stringify(value);
}

/** The output of `JSON.stringify`. Returns a string at once, unless there is a long list. */
export function formatJsonText(value: unknown): string | Promise<string> {
  if (!hasLongList(value)) return JSON.stringify(value);
  return Array.fromAsync(formatJson(value)).then((parts) => parts.join(''));
}

async function* formatObject(object: Record<string, unknown>): AsyncGenerator<string> {
  const slices = new Slices();
  let separator = '{';
  for (const [key, value] of Object.entries(object)) {
    const text = isLongList(value) ? null : JSON.stringify(value);
    // Functions and undefined values.
    if (text === undefined) continue;
    yield `${separator}${JSON.stringify(key)}:${text ?? ''}`;
    if (text === null) yield* formatList(value as unknown[], slices);
    separator = ',';
  }
  yield '}';
}

async function* formatList(items: readonly unknown[], slices: Slices): AsyncGenerator<string> {
  let separator = '[';
  for (let start = 0; start < items.length; start += ITEMS_PER_PART) {
    await slices.pause();
    const part = JSON.stringify(items.slice(start, start + ITEMS_PER_PART));
    yield separator + part.slice(1, -1);
    separator = ',';
  }
  yield ']';
}

function hasLongList(value: unknown): value is Record<string, unknown> {
  return isLongList(value) || (isPlainObject(value) && Object.values(value).some(isLongList));
}

function isLongList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length >= MANY_ITEMS;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !('toJSON' in value);
}
