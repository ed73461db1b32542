import { allCases, type Case, type Selection, select, shortCases } from './cases.ts';
import { everyCall } from './every-call.ts';
import { kinds } from './kinds/index.ts';
import { runCases } from './run-cases.ts';
import { soak } from './soak.ts';
import { headLine, lineOf, totalsLine, totalsOf } from './table.ts';
import type { Verdict } from './verdict.ts';
import { flawsOf } from './verdict.ts';

export interface RunOptions extends Selection {
  short: boolean;
  /** The soak alone. */
  soak: boolean;
  /** Every call of the kinds selected in place of the acts of their steps. */
  everyCall: boolean;
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
    for (const flaw of soaked.flatMap(flawsOf)) console.log(`    ${flaw}`);
    verdicts.push(...soaked);
  }
  const totals = totalsOf(verdicts);
  console.log(totalsLine(totals));
  const { cases: count, ...flaws } = totals;
  return count > 0 && Object.values(flaws).every((found) => found === 0) ? 0 : 1;
}
