import type { Verdict } from './case.ts';
import { allCases, type Selection, select, shortCases } from './cases.ts';
import { runCases } from './run-cases.ts';
import { soak } from './soak.ts';
import { flawsOf, headLine, lineOf, totalsLine, totalsOf } from './table.ts';

export interface RunOptions extends Selection {
  short: boolean;
  /** The soak alone. */
  soak: boolean;
  /** How many whole systems share the cases. */
  stacks: number;
  /** Of what the soak leaves to chance. */
  seed: number;
}

/** Runs what was asked for, prints the table, and gives the exit code. */
export async function runFaults(options: RunOptions): Promise<number> {
  const { kind, step, fault, short, stacks, seed } = options;
  const isSelected = [kind, step, fault].some((part) => part !== undefined);
  const verdicts: Verdict[] = [];
  if (!options.soak) {
    const cases = select(short ? shortCases() : allCases(), options);
    console.log(headLine());
    await runCases(cases, stacks, (done, verdict) => {
      verdicts.push(verdict);
      console.log(lineOf(done, verdict));
    });
  }
  if (options.soak || !(short || isSelected)) {
    const soaked = await soak({ creations: 300, projects: 20, seed });
    for (const flaw of soaked.flatMap(flawsOf)) console.log(`    ${flaw}`);
    verdicts.push(...soaked);
  }
  const totals = totalsOf(verdicts);
  console.log(totalsLine(totals));
  const { cases: count, ...flaws } = totals;
  return count > 0 && Object.values(flaws).every((found) => found === 0) ? 0 : 1;
}
