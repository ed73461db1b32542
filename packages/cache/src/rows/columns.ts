import type { Scalar } from './selection.ts';

/** The value of a field of a row; a list if the path leads through a list. */
export type Cell = Scalar | readonly Scalar[];

/** The fields of the rows of a list. */
export interface Columns {
  readonly count: number;
  /** The values of a field, one for each row. */
  column(path: string): readonly Cell[];
}

/** The columns of rows in memory. */
export function columnsOf(rows: readonly unknown[]): Columns {
  return { count: rows.length, column: (path) => rows.map((row) => cellOf(row, path.split('.'))) };
}

/** The value at a path; null if there is none. */
export function cellOf(row: unknown, path: readonly string[]): Cell {
  const [name = '', ...rest] = path;
  const value = (row as Record<string, unknown> | null | undefined)?.[name];
  if (Array.isArray(value)) {
    return rest.length === 0 ? value.filter(isScalar) : value.flatMap((item) => cellOf(item, rest));
  }
  if (rest.length > 0) return typeof value === 'object' ? cellOf(value, rest) : null;
  return isScalar(value) ? value : null;
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
