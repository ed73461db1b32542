import {
  CancelRequestedError,
  type ProgressMessage,
  type RecordChanges,
  RecordGoneError,
  SupersededError,
} from '@gateway/jobs';
import type { JournalEntry, JournalState } from './journal.ts';
import { isCommitted, isRecordGone, previousEntry } from './journal-state.ts';
import { adoptLateResult, FIRST_RECHECK_MS } from './late-calls.ts';
import { canDuplicate, runWithRetries, UnansweredError } from './run-with-retries.ts';
import { JournalWriteError, ParkedError, type SagaRun } from './saga.ts';
import type { PublishProgress, Step, StepContext } from './step.ts';

/** The input of a step. The step updates `journal` and `state`. */
export interface StepRun<Context, State extends object> {
  journal: JournalState;
  context: StepContext<Context, State>;
  state: Partial<State>;
}

/**
 * Runs one step, or continues it where an earlier run stopped: records `begun`, acts, records `applied`, settles, records
 * `done`. A step that does not settle is `done` with its call, which saves a write.
 */
export async function runStep<Context, State extends object>(
  run: SagaRun<Context, State>,
  step: Step<Context, State>,
  { journal, context, state }: StepRun<Context, State>,
): Promise<void> {
  const started = performance.now();
  const record = async (entry: JournalEntry, message?: ProgressMessage, changes?: RecordChanges) => {
    // Kept in memory first: a rollback needs the entry even when the store has lost the job.
    journal.steps.set(step.name, entry);
    const write = withJournalErrors(run.journal.write(step.name, entry, message, changes));
    // A committed saga can only continue, and no other run can continue a job that the store has lost.
    await (isCommitted(run, journal) ? isRecordGone(write) : write);
  };
  const previous = previousEntry(journal, step.name);
  let isUncertain = previous?.isUncertain;
  let isRefused = false;
  try {
    let result = previous?.result as Partial<State> | undefined;
    let at = previous?.at ?? Date.now();
    if (previous === undefined) {
      const { beginUpdate } = step;
      const update = typeof beginUpdate === 'function' ? beginUpdate(context) : beginUpdate;
      const message = update && run.toMessage(update, state);
      await record({ phase: 'begun', at }, message, step.commits === true ? { isCommitting: true } : {});
    }
    if (result === undefined && previous !== undefined && step.find !== undefined) isUncertain = true;
    if (result === undefined && previous !== undefined && canDuplicate(step)) {
      result = (await adoptLateResult(run, step, context, { previous, record })) ?? undefined;
      at = Date.now();
      if (result === undefined) await record({ phase: 'begun', at, isUncertain });
    }
    if (result === undefined) {
      result = await runWithRetries(run, step, context, {
        isInterrupted: previous !== undefined,
        onUncertain: () => {
          isUncertain = true;
        },
        onRefused: () => {
          isRefused = true;
        },
      });
      at = Date.now();
    }
    if (previous?.result === undefined) {
      const resourceId = step.resourceId?.(result);
      Object.assign(state, result);
      const phase = step.settle === undefined ? 'done' : 'applied';
      const message = step.appliedUpdate && run.toMessage(step.appliedUpdate, state);
      await record({ phase, at, result, isUncertain }, message, { resourceId });
    }
    if (step.settle !== undefined) {
      const publish: PublishProgress<State> = async (update, added) => {
        result = Object.assign({}, result, added);
        Object.assign(state, result);
        await record({ phase: 'applied', at, result, isUncertain }, run.toMessage(update, state));
      };
      const added = await step.settle({ ...context, since: at }, result, publish);
      if (added !== undefined) result = Object.assign({}, result, added);
      Object.assign(state, result);
      await record({ phase: 'done', at, result, isUncertain });
    }
    run.events?.onStep?.(step.name, 'completed', performance.now() - started);
  } catch (error) {
    if (error instanceof ParkedError) throw error;
    if (error instanceof UnansweredError) {
      const lateUntil = Date.now() + run.lateCallMs;
      await record({ phase: 'orphaned', at: previous?.at ?? Date.now(), lateUntil, isUncertain });
      throw new ParkedError(FIRST_RECHECK_MS);
    }
    run.events?.onStep?.(step.name, 'failed', performance.now() - started);
    // Only in memory: the rollback of this run writes it for later runs.
    if (isUncertain) markUncertain(journal, step.name);
    // The store refused the entry `begun`.
    if (error instanceof CancelRequestedError) journal.steps.delete(step.name);
    if (isRefused) await isRecordGone(record({ phase: 'refused' }));
    throw error;
  }
}

function markUncertain(journal: JournalState, step: string): void {
  const entry = journal.steps.get(step);
  if (entry !== undefined) journal.steps.set(step, { ...entry, isUncertain: true });
}

/** Wraps errors of the store; errors about the job pass unchanged. */
async function withJournalErrors(write: Promise<void>): Promise<void> {
  try {
    await write;
  } catch (error) {
    const isAboutJob = [SupersededError, RecordGoneError, CancelRequestedError].some(
      (type) => error instanceof type,
    );
    throw isAboutJob ? error : new JournalWriteError(error);
  }
}
