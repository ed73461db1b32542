import { GatewayError, sleep } from '@gateway/core';
import type { SagaRun } from './saga.ts';
import type { Step, StepContext } from './step.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

export interface ActOptions {
  /** An earlier run may have acted. */
  isInterrupted: boolean;
  /** Called before it throws when it is certain that nothing was made, by no try and no earlier run. */
  onRefused(): void;
}

/**
 * Acts, unless an interrupted run has acted already, or the service did act though it answered otherwise. A
 * service that is away, or asks for patience, is asked again for a while.
 */
export async function act<Context, State extends object>(
  run: SagaRun<Context, State>,
  step: Step<Context, State>,
  context: StepContext<Context, State>,
  { isInterrupted, onRefused }: ActOptions,
): Promise<Partial<State>> {
  const deadline = performance.now() + run.retryTimeoutMs;
  let mayExist = isInterrupted;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      const made = mayExist && !isInParts(step) ? await step.find?.(context) : null;
      return made ?? (await runOnce(step, context));
    } catch (error) {
      const isUnclear = step.repeatable === true && mayHaveActed(error);
      const waitMs = patienceAskedFor(error, pauseMs) ?? (isUnclear ? pauseMs : null);
      if (waitMs === null || performance.now() + waitMs > deadline) {
        if (!mayExist && !isInParts(step) && isRefusal(error)) onRefused();
        throw error;
      }
      mayExist ||= mayHaveActed(error);
      run.events?.onRetry?.(step.name, error);
      await sleep(waitMs, context.signal);
    }
  }
}

async function runOnce<Context, State extends object>(
  step: Step<Context, State>,
  context: StepContext<Context, State>,
): Promise<Partial<State>> {
  try {
    return await step.run(context);
  } catch (error) {
    // What comes of the look does not hide why it was taken.
    const found = mayHaveActed(error) ? await lookAgain(step, context).catch(() => null) : null;
    if (found !== null) return found;
    throw error;
  }
}

async function lookAgain<Context, State extends object>(
  step: Step<Context, State>,
  context: StepContext<Context, State>,
): Promise<Partial<State> | null> {
  return isInParts(step) ? step.run(context) : ((await step.find?.(context)) ?? null);
}

/** What `find` gives of it may be a part only: `run` adopts that part, and makes the rest. */
function isInParts<Context, State extends object>({ makesSeveral }: Step<Context, State>): boolean {
  return makesSeveral === true;
}

/** The service has said that it did nothing. */
function isRefusal(error: unknown): boolean {
  return error instanceof GatewayError && error.upstream !== undefined && !mayHaveActed(error);
}

/** A call that was refused has not acted; one that timed out or broke may have. */
function mayHaveActed(error: unknown): boolean {
  return error instanceof GatewayError && error.upstream !== undefined && error.status >= 500;
}

/** How long to wait before another try; null for a failure that another try would not mend. */
function patienceAskedFor(error: unknown, usualMs: number): number | null {
  if (!(error instanceof GatewayError) || error.upstream === undefined) return null;
  const isPassing = error.status === 429 || error.status === 503 || error.upstream.status === 503;
  if (!isPassing) return null;
  const askedForMs = (error.retryAfterSeconds ?? 0) * 1000;
  return askedForMs > 0 ? askedForMs : usualMs;
}
