/** A row of the table: a measurement and its floor. */
export interface Row {
  name: string;
  /** The unit of `gateway` and `floor`, such as `requests/s`. */
  unit: string;
  /** The median of the rounds. */
  gateway: number;
  /** Null when the budget has no floor. */
  floor: number | null;
  /** The result that is compared with the budget. */
  result: number;
  resultUnit: string;
  budget: string;
  met: boolean;
  note?: string;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Formats the table for a terminal. */
export function formatTable(rows: readonly Row[]): string {
  return alignColumns([
    ['what', 'gateway', 'floor', 'result', 'budget', '', ''],
    ...rows.map((row) => [
      row.name,
      `${figure(row.gateway)} ${row.unit}`,
      row.floor === null ? '' : `${figure(row.floor)} ${row.unit}`,
      resultOf(row),
      row.budget,
      row.met ? 'met' : 'MISSED',
      row.note ?? '',
    ]),
  ]);
}

/** Formats the results of this tree beside those of another commit. */
export function formatComparison(
  commit: string,
  pairs: readonly (readonly [here: Row, there: Row | undefined])[],
): string {
  return alignColumns([
    ['what', commit, 'here', 'budget', ''],
    ...pairs.map(([here, there]) => [
      here.name,
      there === undefined ? '' : resultOf(there),
      resultOf(here),
      here.budget,
      here.met ? 'met' : 'MISSED',
    ]),
  ]);
}

function resultOf({ result, resultUnit }: Row): string {
  return `${figure(result)} ${resultUnit}`.trim();
}

function alignColumns(table: readonly (readonly string[])[]): string {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((line) => (line[column] ?? '').length)),
  );
  return table
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function figure(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 2 : 0 });
}

/** A measurement without a budget. */
export function rowWithoutBudget(name: string, unit: string, value: number, note?: string): Row {
  return {
    name,
    unit,
    gateway: value,
    floor: null,
    result: value,
    resultUnit: unit,
    budget: '',
    met: true,
    ...(note !== undefined && { note }),
  };
}
