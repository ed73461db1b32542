import { GatewayError, sleep } from '@gateway/core';
import { type Leftover, RecordGoneError, SupersededError } from '@gateway/jobs';
import type { JournalEntry, JournalState } from './journal.ts';
import { HandedBackError, type RollBack, type SagaRun, TOKEN_EXPIRED } from './saga.ts';
import type { Step, StepContext } from './step.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/** `unclear`: the step may still take effect, late. */
type Undone = 'undone' | 'unclear' | Leftover;

/**
 * Takes back every step that may have made something, the last one first. An undo that fails is retried until
 * its time is up; then the rest is still taken back and what stays is named.
 */
export async function rollBack<Context, State extends object>(
  sagaRun: SagaRun<Context, State>,
  journal: JournalState,
  state: Partial<State>,
): Promise<RollBack> {
  // Undoing has a deadline of its own and does not listen to what stopped the work. To the end of the process it
  // does, where somebody can go on.
  const signal = journal.isLost === true ? new AbortController().signal : sagaRun.handedBack;
  const run = { ...sagaRun, handedBack: signal };
  const leftovers: Leftover[] = [];
  let isUncertain = false;
  for (const step of [...run.steps].reverse()) {
    const entry = journal.steps.get(step.name);
    if (entry === undefined || entry.phase === 'undone' || entry.phase === 'refused') continue;
    if (run.handedBack.aborted) throw new HandedBackError();
    const context: StepContext<Context, State> = { ...run.context, state, since: Date.now(), signal };
    const outcome = await undoStep(run, step, context, entry);
    if (outcome === 'unclear') isUncertain = true;
    else if (outcome !== 'undone') leftovers.push(outcome);
    else await writeUndone(run, step.name, entry);
  }
  return { leftovers, isUncertain };
}

async function undoStep<Context, State extends object>(
  run: SagaRun<Context, State>,
  step: Step<Context, State>,
  context: StepContext<Context, State>,
  entry: JournalEntry,
): Promise<Undone> {
  if (step.undo === undefined) return 'undone';
  const started = performance.now();
  let result = (entry.result as Partial<State> | undefined) ?? null;
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    try {
      // A step that was cut off may have acted without having been able to say so.
      result ??= (await step.find?.(context)) ?? null;
      if (result === null) return step.find === undefined ? 'undone' : 'unclear';
      await step.undo(context, result);
      run.events?.onStep?.(step.name, 'undone', performance.now() - started);
      return 'undone';
    } catch (error) {
      if (error instanceof SupersededError) throw error;
      if (run.handedBack.aborted) throw new HandedBackError();
      run.events?.onUndoFailed?.(step.name, error);
      if (isShutOut(error) || performance.now() - started + pauseMs > run.undoTimeoutMs) {
        run.events?.onStep?.(step.name, 'left', performance.now() - started);
        return leftoverOf(step, result, error);
      }
    }
    await pause(pauseMs, run.handedBack);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

function isShutOut(error: unknown): boolean {
  return error instanceof GatewayError && error.code === TOKEN_EXPIRED;
}

/** The result stays in the journal: what could not be taken back yet may have to know of it. */
async function writeUndone<Context, State extends object>(
  run: SagaRun<Context, State>,
  step: string,
  entry: JournalEntry,
): Promise<void> {
  try {
    await run.journal.write(step, { ...entry, phase: 'undone' });
  } catch (error) {
    // Nobody can take up what the store has lost: the rest is taken back all the same.
    if (!(error instanceof RecordGoneError)) throw error;
  }
}

/** A process that stops does not wait for its next try: whoever takes the job up goes on trying. */
async function pause(ms: number, handedBack: AbortSignal): Promise<void> {
  try {
    await sleep(ms, handedBack);
  } catch {
    throw new HandedBackError();
  }
}

function leftoverOf<Context, State extends object>(
  step: Step<Context, State>,
  result: Partial<State> | null,
  error: unknown,
): Leftover {
  const named = result === null ? undefined : step.leftover?.(result);
  const reason = error instanceof GatewayError ? error.message : 'An internal error occurred.';
  return { type: named?.type ?? step.name, id: named?.id ?? '', reason };
}
