import Table from 'cli-table3';
import type { Context } from '../context.ts';

const NO_LINES = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
    ['', '-mid', '-left', '-right', '-mid-mid'].map((place) => [`${side}${place}`, '']),
  ),
);

/** The lines of a table without rules, as wide as its contents. */
export function formatTable(rows: readonly (readonly string[])[]): string[] {
  const table = new Table({
    chars: { ...NO_LINES, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
  });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

/** Not in a file or a pipe, and not against the wish of the user; see no-color.org. */
export function hasColor({ env, stdout }: Pick<Context, 'env' | 'stdout'>): boolean {
  return stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
}
