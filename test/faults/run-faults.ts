import { allCases, type Case, type Selection, select, shortCases } from './cases.ts';
import { everyCall } from './every-call.ts';
import { kinds } from './kinds/index.ts';
import { runCases } from './run-cases.ts';
import { soak } from './soak.ts';
import { headLine, lineOf, totalsLine, totalsOf } from './table.ts';
import type { Verdict } from './verdict.ts';
import { problemsOf } from './verdict.ts';

export interface RunOptions extends Selection {
  short: boolean;
  /** Only the soak test. */
  soak: boolean;
  /** All calls of the selected kinds instead of the calls of their steps. */
  everyCall: boolean;
  /** The number of systems that share the cases. */
  stacks: number;
  /** The seed of the random numbers in the soak test. */
  seed: number;
}

/** Runs the selected cases, prints the table, and returns the exit code. */
export async function runFaults(options: RunOptions): Promise<number> {
  const { kind, step, fault, short, stacks, seed } = options;
  const isSelected = [kind, step, fault].some((part) => part !== undefined);
  const verdicts: Verdict[] = [];
  const tell = (done: Case, verdict: Verdict) => {
    verdicts.push(verdict);
    console.log(lineOf(done, verdict));
  };
  if (options.everyCall) {
    console.log(headLine());
    for (const each of kinds.filter(({ name }) => name.includes(kind ?? '')))
      await everyCall(each, stacks, tell);
  } else if (!options.soak) {
    console.log(headLine());
    await runCases(select(short ? shortCases() : allCases(), options), stacks, tell);
  }
  if (options.soak || !(short || isSelected || options.everyCall)) {
    const soaked = await soak({ creations: 300, projects: 20, seed });
    for (const flaw of soaked.flatMap(problemsOf)) console.log(`    ${flaw}`);
    verdicts.push(...soaked);
  }
  const totals = totalsOf(verdicts);
  console.log(totalsLine(totals));
  const { cases: count, ...flaws } = totals;
  return count > 0 && Object.values(flaws).every((found) => found === 0) ? 0 : 1;
}
