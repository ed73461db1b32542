import { runCase } from './case.ts';
import type { Case } from './cases.ts';
import { Rig, type RigOptions } from './rig.ts';
import type { Verdict } from './verdict.ts';

/** For the faults that come late. */
const LATE_CALL_SECONDS = 100;

/** Runs the cases one after the other on each of so many whole systems, and tells of each when it is done. */
export async function runCases(
  cases: readonly Case[],
  stacks: number,
  onVerdict: (done: Case, verdict: Verdict) => void,
): Promise<void> {
  const late = cases.filter(({ fault }) => fault.isLate);
  const others = cases.filter(({ fault }) => !fault.isLate);
  await runLanes(others, stacks, {}, onVerdict);
  // These wait most of their time.
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
  // Each stops what it has started before any failure is told.
  for (const lane of await Promise.allSettled(lanes)) if (lane.status === 'rejected') throw lane.reason;
}

/** A system that a case has spoilt is replaced, so that the next one is judged by itself. */
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
      if (verdict.isSpoilt && waiting.length > 0) {
        await rig.stop();
        rig = await Rig.start(options);
      }
    }
  } finally {
    await rig.stop();
  }
}
