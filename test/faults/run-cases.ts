import { Bench } from './bench.ts';
import { runCase, type Verdict } from './case.ts';
import type { Case } from './cases.ts';

/** Runs the cases one after the other on each of so many whole systems, and tells of each when it is done. */
export async function runCases(
  cases: readonly Case[],
  stacks: number,
  onVerdict: (done: Case, verdict: Verdict) => void,
): Promise<void> {
  const waiting = [...cases];
  const lanes = Array.from({ length: Math.min(stacks, cases.length) }, () => runLane(waiting, onVerdict));
  // Each stops what it has started before any failure is told.
  for (const lane of await Promise.allSettled(lanes)) if (lane.status === 'rejected') throw lane.reason;
}

/** A system that a case has spoilt is replaced, so that the next one is judged by itself. */
async function runLane(waiting: Case[], onVerdict: (done: Case, verdict: Verdict) => void): Promise<void> {
  let bench = await Bench.start();
  try {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const verdict = await runCase(bench, next);
      onVerdict(next, verdict);
      if (verdict.isSpoilt && waiting.length > 0) {
        await bench.stop();
        bench = await Bench.start();
      }
    }
  } finally {
    await bench.stop();
  }
}
