import { Bench } from './bench.ts';
import { runCase, type Verdict } from './case.ts';
import { allCases, type Case, type Selection } from './cases.ts';
import { headLine, lineOf, totalsLine, totalsOf } from './table.ts';

export interface RunOptions extends Selection {
  short: boolean;
  soak: boolean;
  /** How many whole systems share the cases. */
  stacks: number;
  /** Of what is left to chance. */
  seed: number;
}

/** Runs the cases, prints the table, and gives the exit code. */
export async function runFaults(options: RunOptions): Promise<number> {
  const cases = allCases(options);
  console.log(headLine());
  const verdicts: Verdict[] = [];
  const waiting = [...cases];
  const lanes = Array.from({ length: Math.min(options.stacks, cases.length) }, () =>
    runLane(waiting, verdicts),
  );
  await Promise.all(lanes);
  const totals = totalsOf(verdicts);
  console.log(totalsLine(totals));
  const { cases: _cases, ...flaws } = totals;
  return Object.values(flaws).every((count) => count === 0) && verdicts.length > 0 ? 0 : 1;
}

/** One whole system, taking one case after the other; a system that can not be mended is replaced. */
async function runLane(waiting: Case[], verdicts: Verdict[]): Promise<void> {
  let bench = await Bench.start();
  try {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { kind, place, fault } = next;
      const verdict = await runCase(bench, kind, place, fault);
      verdicts.push(verdict);
      console.log(lineOf({ kind: kind.name, place: place.name, fault: fault.name, verdict }));
      if (verdict.lost.length + verdict.leaked.length > 0) {
        await bench.stop();
        bench = await Bench.start();
      }
    }
  } finally {
    await bench.stop();
  }
}
