import { widthOf } from './width.ts';

export const GAP = 2;
/** What is left of a column of texts. */
const MIN_TEXT = 10;
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$|^[\da-f]{32}$/i;
/** The first part of an id, with an ellipsis. Commands take it in place of the id. */
const SHORT_ID = 9;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** The day, with an ellipsis. */
const SHORT_TIME = 11;
/** Numbers and addresses, which would mean something else if they were cut. */
const WHOLE = /^[-\d.:]*$|^(?:true|false)$/;

/** The widths that a column can have where there is little room. */
interface Column {
  least: number;
  most: number;
}

/**
 * The widths of the columns of a table. Where it is too wide, ids give way first, then times, then texts, and
 * at last the last columns, which the result lacks.
 * @param rows cells, those of the head first
 * @param keepsAll because the user has chosen the columns
 */
export function fitColumns(
  rows: readonly (readonly string[])[],
  width: number,
  { keepsAll = false }: { keepsAll?: boolean } = {},
): number[] {
  const columns = (rows[0] ?? []).map((_head, index) => rows.map((row) => row[index] ?? ''));
  const natural = columns.map(widest);
  const withShortIds = columns.map((cells, index) => (have(UUID, cells) ? SHORT_ID : (natural[index] ?? 0)));
  for (const widths of [natural, withShortIds]) if (total(widths) <= width) return widths;
  const kinds = columns.map(columnOf);
  let shown = kinds.length;
  while (!keepsAll && shown > 1 && total(kinds.slice(0, shown).map(({ least }) => least)) > width) shown -= 1;
  return grown(kinds.slice(0, shown), width);
}

function columnOf(cells: readonly string[]): Column {
  const [head = '', ...values] = cells;
  if (have(UUID, cells)) return { least: SHORT_ID, most: SHORT_ID };
  if (have(TIME, cells)) return { least: SHORT_TIME, most: SHORT_TIME };
  const most = widest(cells);
  if (!have(WHOLE, cells)) return { least: Math.min(most, MIN_TEXT), most };
  return { least: Math.max(widest(values), Math.min(widthOf(head), MIN_TEXT)), most };
}

/** Whether all values are of a kind, and there is one. */
function have(kind: RegExp, [_head, ...values]: readonly string[]): boolean {
  const given = values.filter((value) => value !== '');
  return given.length > 0 && given.every((value) => kind.test(value));
}

/** Gives what is left of the width to the narrowest columns that need more. */
function grown(columns: readonly Column[], width: number): number[] {
  const widths = columns.map(({ least }) => least);
  for (let left = width - total(widths); left > 0; left -= 1) {
    const wanting = columns.flatMap(({ most }, index) => ((widths[index] ?? 0) < most ? [index] : []));
    const [next] = wanting.toSorted((a, b) => (widths[a] ?? 0) - (widths[b] ?? 0));
    if (next === undefined) break;
    widths[next] = (widths[next] ?? 0) + 1;
  }
  return widths;
}

function widest(cells: readonly string[]): number {
  return Math.max(0, ...cells.map(widthOf));
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + GAP * Math.max(0, widths.length - 1);
}
