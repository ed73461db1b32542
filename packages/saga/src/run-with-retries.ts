import { GatewayError, sleep } from '@gateway/core';
import { isConnectError } from '@gateway/openstack';
import type { SagaRun } from './saga.ts';
import type { Step, StepContext } from './step.ts';

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;

/** Refusals that say nothing about what exists: of the caller, of the address, or for the moment. */
const UNRELATED_REFUSALS = [401, 404, 405, 429];

/** The connection broke under a call that the service may still carry out. */
export class UnansweredError extends Error {
  constructor(cause: unknown) {
    super('A call was not answered.', { cause });
    this.name = 'UnansweredError';
  }
}

export interface RetriedCallOptions {
  /** An earlier run may have acted. */
  isInterrupted: boolean;
  /** Called when a call was sent whose effect is not known. */
  onUncertain(): void;
  /** Called before it throws when it is certain that nothing was made, by no try and no earlier run. */
  onRefused(): void;
}

/**
 * Acts, unless an interrupted run has acted already, or the service did act though it answered otherwise. A
 * service that is away, or asks for patience, is asked again for a while.
 */
export async function runWithRetries<Context, State extends object>(
  run: SagaRun<Context, State>,
  step: Step<Context, State>,
  context: StepContext<Context, State>,
  { isInterrupted, onUncertain, onRefused }: RetriedCallOptions,
): Promise<Partial<State>> {
  const deadline = performance.now() + run.retryTimeoutMs;
  let mayExist = isInterrupted;
  const refuse = () => {
    if (!mayExist && step.multiCall !== true) onRefused();
  };
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    try {
      const made = mayExist && step.multiCall !== true ? await findOne(step, context) : null;
      return made ?? (await runOnce(step, context));
    } catch (error) {
      const isUncertain = mayHaveActed(error);
      if (isUncertain) onUncertain();
      const waitMs = retryDelayMs(error, pauseMs) ?? (isUncertain && step.idempotent ? pauseMs : null);
      if (waitMs === null || performance.now() + waitMs > deadline) {
        if (isRefusal(error)) refuse();
        throw error;
      }
      // The service may still be at work on the call: another one must wait until that is over, and is the last.
      if (isUncertain && hasNoAnswer(error) && canDuplicate(step)) {
        throw mayExist ? error : new UnansweredError(error);
      }
      mayExist ||= isUncertain;
      run.events?.onRetry?.(step.name, error);
      try {
        await sleep(waitMs, context.signal);
      } catch (aborted) {
        // Whoever takes the job up need not wait for a call that was refused.
        if (isRefusal(error)) refuse();
        throw aborted;
      }
    }
  }
}

/** The thing of this step to go on with, of all that its calls have made; null when there is none. */
export async function findOne<Context, State extends object>(
  step: Step<Context, State>,
  context: StepContext<Context, State>,
): Promise<Partial<State> | null> {
  const [found] = (await step.find?.(context)) ?? [];
  return found ?? null;
}

/** A second call could make a second thing: it must not be sent while the first may still take effect. */
export function canDuplicate<Context, State extends object>(step: Step<Context, State>): boolean {
  return step.find !== undefined && step.idempotent !== true && step.rejectsDuplicates !== true;
}

async function runOnce<Context, State extends object>(
  step: Step<Context, State>,
  context: StepContext<Context, State>,
): Promise<Partial<State>> {
  try {
    return await step.run(context);
  } catch (error) {
    // What comes of the look does not hide why it was taken.
    const found = await findAfterError(error, step, context).catch(() => null);
    if (found !== null) return found;
    throw error;
  }
}

/** A fault may hide an effect; a refusal may mean that an earlier call has had its effect already. */
async function findAfterError<Context, State extends object>(
  error: unknown,
  step: Step<Context, State>,
  context: StepContext<Context, State>,
): Promise<Partial<State> | null> {
  // `find` may give a part of what a multi-call step made: `run` adopts that part and makes the rest.
  if (step.multiCall === true) return mayHaveActed(error) ? step.run(context) : null;
  return mayHaveActed(error) || mayAlreadyExist(error) ? findOne(step, context) : null;
}

/** Nothing was made: the service said so, or was never reached. */
function isRefusal(error: unknown): boolean {
  return error instanceof GatewayError && error.upstream !== undefined && !mayHaveActed(error);
}

function mayAlreadyExist(error: unknown): boolean {
  return isRefusal(error) && !UNRELATED_REFUSALS.includes((error as GatewayError).status);
}

/** A call that was refused has not acted, nor has one that never arrived; one that timed out or broke may have. */
function mayHaveActed(error: unknown): boolean {
  return (
    error instanceof GatewayError &&
    error.upstream !== undefined &&
    error.status >= 500 &&
    !isConnectError(error)
  );
}

function hasNoAnswer(error: unknown): boolean {
  return error instanceof GatewayError && error.upstream?.status === null;
}

/** How long to wait before another try; null for a failure that another try would not mend. */
function retryDelayMs(error: unknown, usualMs: number): number | null {
  if (!(error instanceof GatewayError) || error.upstream === undefined) return null;
  const isPassing = error.status === 429 || error.status === 503 || error.upstream.status === 503;
  if (!isPassing) return null;
  const askedForMs = (error.retryAfterSeconds ?? 0) * 1000;
  return askedForMs > 0 ? askedForMs : usualMs;
}
