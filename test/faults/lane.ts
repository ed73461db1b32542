import { PreparationError } from './case.ts';
import { type Verdict, verdictOfError } from './verdict.ts';

/** How a lane gets a system, and runs a case on it. */
interface LaneSystem<Case, System> {
  start(): Promise<System>;
  run(system: System, next: Case): Promise<Verdict>;
}

/** How often a case is tried if its system does not start or its preparation fails. */
const PREPARATIONS = 3;

/**
 * Runs the waiting cases on one system, and reports each verdict. A case that fails with an error is
 * lost, and ends no other case. After such a case, and after a case that contaminates the system, a
 * new system replaces it.
 */
export async function runLane<Case, System extends { stop(): Promise<void> }>(
  waiting: Case[],
  { start, run }: LaneSystem<Case, System>,
  onVerdict: (done: Case, verdict: Verdict) => void,
): Promise<void> {
  let system: System | undefined;
  const discard = async () => {
    const old = system;
    system = undefined;
    await old?.stop().catch((error) => console.error('A system could not be stopped:', error));
  };
  const attempt = async (next: Case): Promise<Verdict> => {
    system ??= await start().catch((error) => {
      throw new PreparationError(error);
    });
    return run(system, next);
  };
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    let verdict = await attempt(next).catch(problemOf);
    for (let tried = 1; verdict instanceof PreparationError && tried < PREPARATIONS; tried += 1) {
      await discard();
      verdict = await attempt(next).catch(problemOf);
    }
    const result = verdict instanceof Error ? verdictOfError(verdict) : verdict;
    if (result.isContaminated) await discard();
    onVerdict(next, result);
  }
  await discard();
}

function problemOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
