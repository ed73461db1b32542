import { invalidInput } from '@gateway/core';

type Scalar = string | number | boolean | null;

/** How a filter compares: text that is contained, text that is equal, both in any case, or the same value. */
type Match = 'part' | 'text' | 'same';

export interface Filter {
  /**
   * The paths of the fields to search: `status`, or `attachments.server_id` for a field of the items of a
   * list.
   */
  fields: readonly string[];
  match: Match;
  value: Scalar;
}

export interface SortKey {
  field: string;
  isDescending: boolean;
}

/** What the rows of a list can be selected by. */
export interface RowFields {
  /** The field that identifies a row; null without one. */
  id: string | null;
  /** The paths of all fields that filters and sort keys may name. */
  paths: readonly string[];
}

/** Selects and orders rows of a list. */
export interface Selection {
  /** The same for equal selections. */
  key: string;
  rowFields: RowFields;
  /** A row has to match all of them. */
  filters: readonly Filter[];
  /** The first key counts most, and the id comes last. Without keys, the order of the list. */
  sort: readonly SortKey[];
  limit?: number | undefined;
  /** The id of the row after which to begin. */
  marker?: string | undefined;
}

/** What a selection leaves out of its rows. */
export interface SelectedPart {
  /** The number of rows that match, with those before the marker and beyond the limit. */
  total: number;
  /** The id of the last row, if more rows follow it. */
  nextMarker: string | null;
}

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

export interface SelectedRows extends SelectedPart {
  /** The numbers of the rows in the list, in the order of the selection. */
  rows: number[];
}

/**
 * Selects rows by their fields. The page after a marker begins after the row's place in the order, also if
 * the row itself no longer matches.
 * @throws 400 for a marker that is not the id of a row
 */
export function selectRows(columns: Columns, selection: Selection): SelectedRows {
  const { filters, limit = columns.count, marker, rowFields, sort } = selection;
  const ids = rowFields.id === null ? [] : columns.column(rowFields.id);
  const first = marker === undefined ? -1 : ids.indexOf(marker);
  if (marker !== undefined && first === -1) throw unknownMarker();
  const tests = filters.map((filter) => testOf(columns, filter));
  const matches = (row: number) => tests.every((test) => test(row));
  const rows: number[] = [];
  let total = 0;
  let isAfterMarker = marker === undefined;
  let hasMore = false;
  for (const row of sortRows(columns, sort, ids, (each) => each === first || matches(each))) {
    if (row === first) isAfterMarker = true;
    if (row !== first || matches(row)) total += 1;
    if (row === first || !isAfterMarker) continue;
    if (rows.length < limit) rows.push(row);
    else hasMore = true;
  }
  const last = ids[rows.at(-1) ?? -1];
  return { rows, total, nextMarker: hasMore && typeof last === 'string' ? last : null };
}

function testOf(columns: Columns, { fields, match, value }: Filter): (row: number) => boolean {
  const searched = fields.map((field) => columns.column(field));
  const test = comparison(match, value);
  return (row) =>
    searched.some((cells) => {
      const cell = cells[row] as Cell;
      return isList(cell) ? cell.some(test) : test(cell);
    });
}

function comparison(match: Filter['match'], value: Scalar): (cell: Scalar) => boolean {
  if (match === 'same') return (cell) => cell === value;
  const wanted = String(value).toLowerCase();
  if (match === 'text') return (cell) => typeof cell === 'string' && cell.toLowerCase() === wanted;
  return (cell) => typeof cell === 'string' && cell.toLowerCase().includes(wanted);
}

function isList(cell: Cell): cell is readonly Scalar[] {
  return Array.isArray(cell);
}

function unknownMarker(): Error {
  return invalidInput('The marker is not the id of an item of the list.', {
    errors: [{ field: 'query.marker', message: 'must be the id of an item of the list' }],
  });
}

/** Text is compared without regard to case. */
type Comparable = string | number | null;

interface Sortable {
  row: number;
  keys: Comparable[];
}

/** The numbers of the wanted rows in the order of the sort keys; equal rows by their ids. */
function sortRows(
  columns: Columns,
  sort: readonly SortKey[],
  ids: readonly Cell[],
  isWanted: (row: number) => boolean,
): number[] {
  const rows: number[] = [];
  for (let row = 0; row < columns.count; row += 1) if (isWanted(row)) rows.push(row);
  if (sort.length === 0) return rows;
  const cells = sort.map(({ field }) => columns.column(field));
  const sortable = rows.map(
    (row): Sortable => ({
      row,
      keys: [...cells.map((column) => comparable(column[row])), comparable(ids[row])],
    }),
  );
  return sortable.sort((a, b) => compare(a, b, sort)).map(({ row }) => row);
}

function compare(a: Sortable, b: Sortable, sort: readonly SortKey[]): number {
  for (let index = 0; index < a.keys.length; index += 1) {
    const [left = null, right = null] = [a.keys[index], b.keys[index]];
    if (left === right) continue;
    // Rows without a value come last in both directions.
    if (left === null) return 1;
    if (right === null) return -1;
    const order = left < right ? -1 : 1;
    return sort[index]?.isDescending === true ? -order : order;
  }
  return a.row - b.row;
}

function comparable(cell: Cell | undefined): Comparable {
  if (typeof cell === 'string') return cell.toLowerCase();
  if (typeof cell === 'number') return cell;
  return typeof cell === 'boolean' ? Number(cell) : null;
}
