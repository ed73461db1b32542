import { allCases, type Case, type Selection, select, shortCases } from './cases.ts';
import { everyCall } from './every-call.ts';
import { kinds } from './kinds/index.ts';
import { runCases } from './run-cases.ts';
import { soak } from './soak.ts';
import { headLine, lineOf, totalsLine, totalsOf } from './table.ts';
import { problemsOf, type Verdict, verdictOfError } from './verdict.ts';

interface RunOptions extends Selection {
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
  /** A part that ends with an error counts as lost, and the others follow. */
  const part = async (run: () => Promise<Verdict[]>): Promise<void> => {
    const found = await run().catch((error: unknown) => [verdictOfError(error)]);
    for (const flaw of found.flatMap(problemsOf)) console.log(`    ${flaw}`);
    verdicts.push(...found);
  };
  if (options.everyCall) {
    console.log(headLine());
    for (const each of kinds.filter(({ name }) => name.includes(kind ?? '')))
      await part(() => everyCall(each, stacks, tell).then(() => []));
  } else if (!options.soak) {
    console.log(headLine());
    await runCases(select(short ? shortCases() : allCases(), options), { stacks }, tell);
  }
  if (options.soak || !(short || isSelected || options.everyCall)) {
    await part(() => soak({ creations: 300, projects: 20, seed }));
  }
  const totals = totalsOf(verdicts);
  console.log(totalsLine(totals));
  const { cases: count, ...flaws } = totals;
  return count > 0 && Object.values(flaws).every((found) => found === 0) ? 0 : 1;
}
