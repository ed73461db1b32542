import type { Cell, Columns } from './columns.ts';
import type { SortKey } from './selection.ts';

/** Text is compared without regard to case. */
type Comparable = string | number | null;

interface Sortable {
  row: number;
  keys: Comparable[];
}

/** The numbers of the wanted rows in the order of the sort keys; equal rows by their ids. */
export function sortRows(
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
