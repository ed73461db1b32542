import type { Case } from './cases.ts';
import { problemsOf, type Verdict } from './verdict.ts';

const HEAD = ['kind', 'step', 'fault', 'end', 'creates', 'left over', 'events missing or repeated', 's'];

/** The line of a case, followed by its problems. */
export function lineOf({ kind, place, fault }: Case, verdict: Verdict): string {
  const cells = [
    kind.name,
    place.name,
    fault.name,
    verdict.end,
    verdict.creates,
    String(verdict.leaked.length),
    String(verdict.streamGaps.length),
    (verdict.durationMs / 1000).toFixed(1),
  ];
  return [pad(cells), ...problemsOf(verdict).map((flaw) => `    ${flaw}`)].join('\n');
}

export function headLine(): string {
  return pad(HEAD);
}

interface Totals {
  cases: number;
  lost: number;
  leaked: number;
  duplicated: number;
  streamGaps: number;
}

export function totalsOf(verdicts: readonly Verdict[]): Totals {
  const count = (list: 'lost' | 'leaked' | 'duplicated' | 'streamGaps') =>
    verdicts.filter((verdict) => verdict[list].length > 0).length;
  return {
    cases: verdicts.length,
    lost: count('lost'),
    leaked: count('leaked'),
    duplicated: count('duplicated'),
    streamGaps: count('streamGaps'),
  };
}

/** The last line of a run. */
export function totalsLine({ cases, lost, leaked, duplicated, streamGaps }: Totals): string {
  return `cases ${cases}, lost ${lost}, leaked ${leaked}, duplicated ${duplicated}, stream gaps ${streamGaps}`;
}

function pad(cells: string[]): string {
  const widths = [18, 22, 32, 11, 12, 9, 26, 5];
  return cells
    .map((cell, index) => cell.padEnd(widths[index] ?? 0))
    .join(' ')
    .trimEnd();
}
