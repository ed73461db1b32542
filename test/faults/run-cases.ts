import { runCase } from './case.ts';
import type { Case } from './cases.ts';
import { Rig } from './rig.ts';
import type { RigOptions } from './rig-stack.ts';
import type { Verdict } from './verdict.ts';

/** The `late_call_seconds` for late faults. */
const LATE_CALL_SECONDS = 100;

/** Runs the cases on several systems, sequentially on each, and reports each verdict. */
export async function runCases(
  cases: readonly Case[],
  stacks: number,
  onVerdict: (done: Case, verdict: Verdict) => void,
): Promise<void> {
  const late = cases.filter(({ fault }) => fault.isLate);
  const others = cases.filter(({ fault }) => !fault.isLate);
  await runLanes(others, stacks, {}, onVerdict);
  // Late cases mostly wait, so that more systems can share the machine.
  await runLanes(late, 2 * stacks, { lateCallSeconds: LATE_CALL_SECONDS }, onVerdict);
}

async function runLanes(
  cases: readonly Case[],
  stacks: number,
  options: RigOptions,
  onVerdict: (done: Case, verdict: Verdict) => void,
): Promise<void> {
  const waiting = [...cases];
  const lanes = Array.from({ length: Math.min(stacks, cases.length) }, () =>
    runLane(waiting, options, onVerdict),
  );
  // All lanes stop their systems before a failure is thrown.
  for (const lane of await Promise.allSettled(lanes)) if (lane.status === 'rejected') throw lane.reason;
}

/** Replaces a contaminated system before the next case. */
async function runLane(
  waiting: Case[],
  options: RigOptions,
  onVerdict: (done: Case, verdict: Verdict) => void,
): Promise<void> {
  let rig = await Rig.start(options);
  try {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const verdict = await runCase(rig, next);
      onVerdict(next, verdict);
      if (verdict.isContaminated && waiting.length > 0) {
        await rig.stop();
        rig = await Rig.start(options);
      }
    }
  } finally {
    await rig.stop();
  }
}
