import { styleText } from 'node:util';
import Table from 'cli-table3';
import type { Context } from '../context.ts';

const NO_LINES = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
    ['', '-mid', '-left', '-right', '-mid-mid'].map((place) => [`${side}${place}`, '']),
  ),
);

/** A table without lines, as wide as its contents. @param head null for none */
export function formatTable(
  head: readonly string[] | null,
  rows: readonly (readonly string[])[],
  isBold: boolean,
): string {
  const table = new Table({
    chars: { ...NO_LINES, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
  });
  if (head !== null) table.push([...head]);
  table.push(...rows.map((row) => [...row]));
  const lines = table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
  const [first = '', ...others] = lines;
  return [isBold && head !== null ? styleText('bold', first) : first, ...others].join('\n');
}

/** Not in a file or a pipe, and not against the wish of the user; see no-color.org. */
export function hasColor({ env, stdout }: Pick<Context, 'env' | 'stdout'>): boolean {
  return stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
}
