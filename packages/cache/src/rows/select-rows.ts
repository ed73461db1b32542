import { invalidInput } from '@gateway/core';
import type { Cell, Columns } from './columns.ts';
import type { Filter, Scalar, SelectedPart, Selection } from './selection.ts';
import { sortRows } from './sort-rows.ts';

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
