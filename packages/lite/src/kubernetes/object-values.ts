import { cutText } from '@gateway/core';

/** The length of the longest valid name. */
const MAX_NAME = 253;

/** A list of the response, or an empty list in place of another type. */
export function list<T>(value: readonly T[] | undefined): readonly T[] {
  return Array.isArray(value) ? value : [];
}

/** The objects in a list of the response, without items of other types. */
export function objects<T extends object>(value: readonly T[] | undefined): T[] {
  return list(value).filter((item) => object(item) !== undefined);
}

/** An object of the response; undefined in place of another type. */
export function object<T extends object>(value: T | undefined): T | undefined {
  return typeof value === 'object' && value !== null ? value : undefined;
}

/** A text of the response, or an empty text in place of another type. */
export function text(value: unknown, maxLength = MAX_NAME): string {
  return typeof value === 'string' ? cutText(value, maxLength) : '';
}

/** A number of the response that is not negative, or `missing` in place of another type. */
export function count(value: unknown, missing = 0): number {
  return typeof value === 'number' && value >= 0 ? value : missing;
}

/** A time of the response in milliseconds since the epoch; null in place of another type. */
export function time(value: unknown): number | null {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}
