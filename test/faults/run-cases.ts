import { runCase } from './case.ts';
import type { Case } from './cases.ts';
import { runLane } from './lane.ts';
import { Rig } from './rig.ts';
import type { RigOptions } from './rig-stack.ts';
import type { Verdict } from './verdict.ts';

/** The `late_call_seconds` for late faults. */
const LATE_CALL_SECONDS = 100;

interface Systems {
  /** How many of them share the cases. */
  stacks: number;
  /** Processes of each; see `RigOptions`. */
  workers?: number;
}

/** Runs the cases on several systems, sequentially on each, and reports each verdict. */
export async function runCases(
  cases: readonly Case[],
  { stacks, workers }: Systems,
  onVerdict: (done: Case, verdict: Verdict) => void,
): Promise<void> {
  const late = cases.filter(({ fault }) => fault.isLate);
  const others = cases.filter(({ fault }) => !fault.isLate);
  await runLanes(others, stacks, { workers }, onVerdict);
  // Late cases mostly wait, so that more systems can share the machine, with fewer processes.
  const small = { apis: 1, workers: 2, lateCallSeconds: LATE_CALL_SECONDS };
  await runLanes(late, 2 * stacks, small, onVerdict);
}

async function runLanes(
  cases: readonly Case[],
  stacks: number,
  options: RigOptions,
  onVerdict: (done: Case, verdict: Verdict) => void,
): Promise<void> {
  const waiting = [...cases];
  const system = { start: () => Rig.start(options), run: runCase };
  await Promise.all(
    Array.from({ length: Math.min(stacks, cases.length) }, () => runLane(waiting, system, onVerdict)),
  );
}
