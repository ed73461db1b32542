import { Slices } from '@gateway/core';
import { type Cell, type Columns, cellOf, type RowFields } from './select-rows.ts';

const QUOTE = 34;
const COMMA = 44;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** A shorter list is read in less than a slice. */
const LONG_BYTES = 200_000;
const ROWS_PER_CHECK = 16;

/** Roughly what a value takes in memory besides its characters. */
const CELL_BYTES = 24;

/**
 * Where the rows of a serialized list begin and end, and the fields that select rows. So a selection parses
 * nothing, and sends bytes of the list.
 */
export class RowTable implements Columns {
  /** Roughly the memory that it takes. */
  readonly bytes: number;
  readonly #ends: Uint32Array;
  readonly #columns: ReadonlyMap<string, readonly Cell[]>;

  private constructor(ends: Uint32Array, columns: ReadonlyMap<string, readonly Cell[]>) {
    this.#ends = ends;
    this.#columns = columns;
    this.bytes = ends.byteLength + [...columns.values()].reduce((sum, cells) => sum + bytesOf(cells), 0);
  }

  /** Reads the output of `JSON.stringify` for a list of objects; a long list in slices. */
  static async read(body: Buffer, { id, paths }: RowFields): Promise<RowTable> {
    const slices = body.length < LONG_BYTES ? null : new Slices();
    const names = new Set(id === null ? paths : [id, ...paths]);
    const columns = [...names].map((name) => ({ name, path: name.split('.'), cells: [] as Cell[] }));
    const ends: number[] = [];
    for (let start = 1; body[start] !== CLOSE_LIST && start < body.length; start += 1) {
      if (ends.length % ROWS_PER_CHECK === 0) await slices?.pause();
      const end = endOfRow(body, start);
      const row: unknown = JSON.parse(body.toString('utf8', start, end));
      for (const { path, cells } of columns) cells.push(cellOf(row, path));
      ends.push(end);
      start = end;
      if (body[end] !== COMMA) break;
    }
    return new RowTable(Uint32Array.from(ends), new Map(columns.map(({ name, cells }) => [name, cells])));
  }

  get count(): number {
    return this.#ends.length;
  }

  column(path: string): readonly Cell[] {
    const cells = this.#columns.get(path);
    if (cells === undefined) throw new Error(`The list is not read with the field ${path}.`);
    return cells;
  }

  /** The serialized list of these rows, from the body that was read. */
  cut(body: Buffer, rows: readonly number[]): Buffer {
    const parts: Buffer[] = [];
    for (let index = 0; index < rows.length; index += 1) {
      const first = rows[index] as number;
      let last = first;
      // Rows that follow each other are one part, with the commas between them.
      while (rows[index + 1] === last + 1) {
        last += 1;
        index += 1;
      }
      const start = first === 0 ? 1 : this.#endOf(first - 1) + 1;
      parts.push(Buffer.from(parts.length === 0 ? '[' : ','), body.subarray(start, this.#endOf(last)));
    }
    return Buffer.concat([...(parts.length === 0 ? [Buffer.from('[')] : parts), Buffer.from(']')]);
  }

  #endOf(row: number): number {
    return this.#ends[row] as number;
  }
}

/** The position after the object that begins here. */
function endOfRow(body: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < body.length; at += 1) {
    const code = body[at];
    if (code === QUOTE) at = endOfString(body, at);
    else if (code === OPEN_OBJECT || code === OPEN_LIST) depth += 1;
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) depth -= 1;
    if (depth === 0) return at + 1;
  }
  throw new SyntaxError('A row does not end.');
}

/** The position of the quote that ends the string which begins here. */
function endOfString(body: Buffer, start: number): number {
  for (let at = body.indexOf(QUOTE, start + 1); at !== -1; at = body.indexOf(QUOTE, at + 1)) {
    let backslashes = 0;
    while (body[at - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  throw new SyntaxError('A string does not end.');
}

function bytesOf(cells: readonly Cell[]): number {
  return cells.reduce<number>((sum, cell) => sum + CELL_BYTES + lengthOf(cell), 0);
}

function lengthOf(cell: Cell): number {
  if (typeof cell === 'string') return cell.length;
  return Array.isArray(cell) ? bytesOf(cell) : 0;
}
