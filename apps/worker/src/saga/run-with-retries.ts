import { sleep } from '@gateway/core';
import { hasNoResponse, isCallRefused, mayAlreadyExist, mayHaveActed, retryDelayMs } from './call-errors.ts';
import { requireUnended } from './require-unended.ts';
import type { SagaRun } from './saga.ts';
import type { Step, StepContext } from './step.ts';

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;

/** Thrown when the connection broke during a call that the service may still carry out. */
export class UnansweredError extends Error {
  constructor(cause: unknown) {
    super('A call got no response.', { cause });
    this.name = 'UnansweredError';
  }
}

interface RetriedCallOptions {
  /** An earlier run may have acted. */
  isInterrupted: boolean;
  /** Called when the effect of a call is unknown. */
  onUncertain(): void;
  /** Called before throwing when certainly nothing was made, neither by this run nor by an earlier one. */
  onRefused(): void;
}

/**
 * Runs a step's call, or adopts what an interrupted run or a failed call has made. Retries for
 * `retryTimeoutMs` while the service is unavailable or asks to back off.
 */
export async function runWithRetries<Context, State extends object>(
  run: SagaRun<Context, State>,
  step: Step<Context, State>,
  context: StepContext<Context, State>,
  { isInterrupted, onUncertain, onRefused }: RetriedCallOptions,
): Promise<Partial<State>> {
  // A step that waits for its services parks the job instead.
  const deadline = performance.now() + (step.unavailableUpdate === undefined ? run.retryTimeoutMs : 0);
  let mayExist = isInterrupted;
  const refuse = () => {
    if (!mayExist && step.onRepeat !== 'adopts') onRefused();
  };
  // A job that has ended before must not make again what is gone since.
  const searches = searchesFirst(run, step);
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    try {
      const adopts = step.onRepeat === 'adopts';
      const made = searches || (mayExist && !adopts) ? await findCreated(step, context) : null;
      if (made === null && searches) await requireUnended(run, context);
      return made === null || adopts ? await runOnce(run, step, context, onUncertain) : made;
    } catch (error) {
      const isUncertain = mayHaveActed(error);
      if (isUncertain) onUncertain();
      const waitMs =
        retryDelayMs(error, pauseMs) ?? (isUncertain && step.onRepeat === 'idempotent' ? pauseMs : null);
      if (waitMs === null || performance.now() + waitMs > deadline) {
        if (isCallRefused(error)) refuse();
        throw error;
      }
      // The service may still carry out the call: the next call must wait until that is over, and is the
      // last.
      if (isUncertain && hasNoResponse(error) && canDuplicate(step)) {
        throw mayExist ? error : new UnansweredError(error);
      }
      mayExist ||= isUncertain;
      run.events?.onRetry?.(step.name, error);
      try {
        await sleep(waitMs, context.signal);
      } catch (aborted) {
        // The run that resumes the job need not wait for a call that was refused.
        if (isCallRefused(error)) refuse();
        throw aborted;
      }
    }
  }
}

/** Whether the step may have made something that the journal, which may be behind, has nothing of. */
export function searchesFirst<Context, State extends object>(
  { mayBeBehind }: SagaRun<Context, State>,
  { find, onRepeat }: Step<Context, State>,
): boolean {
  return mayBeBehind === true && find !== undefined && onRepeat !== 'idempotent';
}

/** The resource that the step's calls have created and the saga keeps; null when there is none. */
export async function findCreated<Context, State extends object>(
  step: Step<Context, State>,
  context: StepContext<Context, State>,
): Promise<Partial<State> | null> {
  const [found] = (await step.find?.(context)) ?? [];
  return found ?? null;
}

/**
 * True when a second call could make a duplicate: it must not be sent while the first may still take effect.
 */
export function canDuplicate<Context, State extends object>(step: Step<Context, State>): boolean {
  return step.find !== undefined && step.onRepeat === undefined;
}

async function runOnce<Context, State extends object>(
  { stopping }: SagaRun<Context, State>,
  step: Step<Context, State>,
  context: StepContext<Context, State>,
  onUncertain: () => void,
): Promise<Partial<State>> {
  try {
    return await step.run(context);
  } catch (error) {
    // The service refuses a repeated call only while it has the resource. If a later step removes that, a
    // late call makes another one.
    if (step.onRepeat === 'adopts' && mayHaveActed(error)) onUncertain();
    // The next run finds what an unanswered call has made. This process may exit before a search ends.
    if (stopping.aborted && mayHaveActed(error)) throw error;
    // A failed search must not hide the original error.
    const found = await findAfterError(error, step, context).catch(() => null);
    if (found !== null) return found;
    throw error;
  }
}

/**
 * Searches after an error: a fault may hide an effect, and a refusal may mean that an earlier call took
 * effect.
 */
async function findAfterError<Context, State extends object>(
  error: unknown,
  step: Step<Context, State>,
  context: StepContext<Context, State>,
): Promise<Partial<State> | null> {
  // `find` may give a part of what such a step made: `run` adopts that part and makes the rest.
  if (step.onRepeat === 'adopts') return mayHaveActed(error) ? step.run(context) : null;
  return mayHaveActed(error) || mayAlreadyExist(error) ? findCreated(step, context) : null;
}
