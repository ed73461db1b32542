import type { Context } from '../context.ts';
import { GAP } from './fit-columns.ts';
import { cut, pad, widthOf, wrap } from './width.ts';

/** With less room beside its name, a long value is below it. An id fits. */
const MIN_ROOM = 36;
const INDENT = 2;

/** The lines of a table without rules. @param widths of its columns; it has no others */
export function formatTable(rows: readonly (readonly string[])[], widths: readonly number[]): string[] {
  return rows.map((row) => inColumns(widths.map((width, index) => pad(cut(row[index] ?? '', width), width))));
}

/** The names and values of a record, none of which is cut. @param width Infinity for one line each */
export function formatRecord(fields: readonly (readonly [string, string])[], width: number): string[] {
  const nameWidth = Math.max(0, ...fields.map(([name]) => widthOf(name)));
  const room = width - nameWidth - GAP;
  return fields.flatMap(([name, value]) => {
    if (room < MIN_ROOM && widthOf(value) > room) return [name, ...indented(value, width)];
    return linesOf(value, room).map((line, index) =>
      inColumns([pad(index === 0 ? name : '', nameWidth), line]),
    );
  });
}

function indented(value: string, width: number): string[] {
  return linesOf(value, width - INDENT).map((line) => `${' '.repeat(INDENT)}${line}`);
}

function linesOf(value: string, width: number): string[] {
  const lines = value.split('\n');
  return Number.isFinite(width) ? lines.flatMap((line) => wrap(line.replaceAll('\t', '  '), width)) : lines;
}

function inColumns(cells: readonly string[]): string {
  return cells.join(' '.repeat(GAP)).trimEnd();
}

/** Infinity for a file or a pipe, where nothing is cut. */
export function terminalWidth({ stdout }: Pick<Context, 'stdout'>): number {
  return (stdout.isTTY && stdout.columns) || Number.POSITIVE_INFINITY;
}

/** Not in a file or a pipe, and not against the wish of the user; see no-color.org. */
export function hasColor({ env, stdout }: Pick<Context, 'env' | 'stdout'>): boolean {
  return stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
}
