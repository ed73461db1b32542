import {
  CancelRequestedError,
  type ProgressMessage,
  type RecordChanges,
  RecordGoneError,
  SupersededError,
} from '@gateway/jobs';
import { isTransient, serviceTitles } from '@gateway/openstack';
import type { JournalEntry, JournalState } from './journal.ts';
import { isCommitted, isRecordGone, previousEntry } from './journal-state.ts';
import { adoptLateResult, FIRST_RECHECK_MS, recheckPauseMs } from './late-calls.ts';
import { canDuplicate, runWithRetries, UnansweredError } from './run-with-retries.ts';
import { EndedBeforeError, JournalWriteError, mustWait, ParkedError, type SagaRun } from './saga.ts';
import type { Step, StepContext } from './step.ts';

/** The input of a step. The step updates `journal` and `state`. */
interface StepRun<Context, State extends object> {
  journal: JournalState;
  context: StepContext<Context, State>;
  state: Partial<State>;
}

/** Runs one step, or continues it where an earlier run stopped. */
export async function runStep<Context, State extends object>(
  run: SagaRun<Context, State>,
  step: Step<Context, State>,
  stepRun: StepRun<Context, State>,
): Promise<void> {
  const started = performance.now();
  const execution = new StepExecution(run, step, stepRun);
  try {
    await execution.begin();
    await execution.apply();
    await execution.settle();
  } catch (error) {
    if (error instanceof EndedBeforeError) throw error;
    if (mustWait(error)) {
      await execution.recordRefusal();
      throw error;
    }
    if (error instanceof UnansweredError) throw await execution.park();
    const waiting = await execution.parkWhileUnavailable(error);
    if (waiting !== null) throw waiting;
    run.events?.onStep?.(step.name, 'failed', performance.now() - started);
    await execution.recordFailure(error);
    throw error;
  }
  run.events?.onStep?.(step.name, 'completed', performance.now() - started);
}

/** One run of a step: its phases, each of which does nothing if an earlier run has completed it. */
class StepExecution<Context, State extends object> {
  readonly #run: SagaRun<Context, State>;
  readonly #step: Step<Context, State>;
  readonly #stepRun: StepRun<Context, State>;
  /** What an earlier run recorded. */
  readonly #previous: JournalEntry | undefined;
  /** When the step began or, once its call has taken effect, when it did. Milliseconds since the epoch. */
  #at: number;
  #result: Partial<State> | undefined;
  #isUncertain: boolean | undefined;
  /** Until when a call that an earlier run has sent may still take effect. */
  #lateUntil: number | undefined;
  #isRefused = false;

  constructor(run: SagaRun<Context, State>, step: Step<Context, State>, stepRun: StepRun<Context, State>) {
    this.#run = run;
    this.#step = step;
    this.#stepRun = stepRun;
    this.#previous = previousEntry(stepRun.journal, step.name);
    this.#at = this.#previous?.at ?? Date.now();
    this.#result = this.#previous?.result as Partial<State> | undefined;
    this.#isUncertain = this.#previous?.isUncertain;
    this.#lateUntil = this.#previous?.lateUntil;
  }

  /** Records `begun`, before the call is sent. */
  async begin(): Promise<void> {
    if (this.#previous !== undefined) return;
    const { beginUpdate, commits } = this.#step;
    const { context, journal, state } = this.#stepRun;
    // A step that was refused has announced itself, and begins anew.
    const isAnnounced = journal.steps.has(this.#step.name);
    const update = typeof beginUpdate === 'function' ? beginUpdate(context) : beginUpdate;
    const message = update && !isAnnounced ? this.#run.toMessage(update, state) : undefined;
    await this.#record({ phase: 'begun', at: this.#at }, message, commits ? { isCommitting: true } : {});
  }

  /**
   * Sends the call, or adopts what the call of an earlier run has made. Records `applied`, or `done` if
   * nothing has to settle.
   */
  async apply(): Promise<void> {
    if (this.#result !== undefined) return;
    const step = this.#step;
    this.#result = (await this.#adoptInterrupted()) ?? (await this.#call());
    this.#at = Date.now();
    const resourceId = step.resourceId?.(this.#result);
    Object.assign(this.#stepRun.state, this.#result);
    const message = step.appliedUpdate && this.#run.toMessage(step.appliedUpdate, this.#stepRun.state);
    await this.#recordResult(step.settle === undefined ? 'done' : 'applied', message, { resourceId });
    if (resourceId !== undefined) this.#run.events?.onResource?.();
  }

  /** Waits until the resource can be used, and records `done`. */
  async settle(): Promise<void> {
    const { settle } = this.#step;
    if (settle === undefined || this.#result === undefined) return;
    const context = { ...this.#stepRun.context, since: this.#at };
    const added = await settle(context, this.#result, async (update, found) => {
      this.#extendResult(found);
      const message = update === null ? undefined : this.#run.toMessage(update, this.#stepRun.state);
      await this.#recordResult('applied', message);
    });
    this.#extendResult(added);
    await this.#recordResult('done');
  }

  /** Records that the call may still take effect. Returns the error that parks the job until that is over. */
  async park(): Promise<ParkedError> {
    const lateUntil = Date.now() + this.#run.lateCallMs;
    const at = this.#previous?.at ?? Date.now();
    await this.#record({ phase: 'orphaned', at, lateUntil, isUncertain: this.#isUncertain });
    return new ParkedError(FIRST_RECHECK_MS);
  }

  /**
   * Publishes that the step waits for a service, unless that was published last. Returns the error that parks
   * the job; null if the step does not wait for a service.
   */
  async parkWhileUnavailable(error: unknown): Promise<ParkedError | null> {
    const { unavailableUpdate, name } = this.#step;
    if (unavailableUpdate === undefined || this.#result !== undefined || !isTransient(error)) return null;
    this.#run.events?.onRetry?.(name, error);
    const update = unavailableUpdate(serviceTitles[error.service]);
    if (update.message !== this.#previous?.unavailableMessage) {
      const entry: JournalEntry = { phase: 'begun', at: this.#at, unavailableMessage: update.message };
      await this.#record(entry, this.#run.toMessage(update, this.#stepRun.state));
    }
    return new ParkedError(recheckPauseMs(Date.now() - this.#at));
  }

  async recordFailure(error: unknown): Promise<void> {
    const { steps } = this.#stepRun.journal;
    const entry = steps.get(this.#step.name);
    if (this.#isUncertain && entry !== undefined) {
      const lateUntil = Date.now() + this.#run.lateCallMs;
      await isRecordGone(this.#record({ ...entry, lateUntil, isUncertain: true }));
    }
    // The store refused the entry `begun`.
    if (error instanceof CancelRequestedError) steps.delete(this.#step.name);
    await this.recordRefusal();
  }

  /** If certainly nothing was made: the next run begins the step anew. */
  async recordRefusal(): Promise<void> {
    if (this.#isRefused) await isRecordGone(this.#record({ phase: 'refused' }));
  }

  /** What the call of an interrupted run has made; undefined if the call has to be sent. */
  async #adoptInterrupted(): Promise<Partial<State> | undefined> {
    const previous = this.#previous;
    const step = this.#step;
    if (previous === undefined) return undefined;
    if (step.find !== undefined || step.onRepeat === 'idempotent') this.#isUncertain = true;
    if (!canDuplicate(step)) return undefined;
    const record = (entry: JournalEntry) => this.#record(entry);
    const found = await adoptLateResult(this.#run, step, this.#stepRun.context, { previous, record });
    if (found !== null) return found;
    this.#lateUntil = undefined;
    this.#at = Date.now();
    await this.#record({ phase: 'begun', at: this.#at, isUncertain: this.#isUncertain });
    return undefined;
  }

  #call(): Promise<Partial<State>> {
    return runWithRetries(this.#run, this.#step, this.#stepRun.context, {
      isInterrupted: this.#previous !== undefined,
      onUncertain: () => {
        this.#isUncertain = true;
        // Counts from when this call has ended, not the one of an earlier run.
        this.#lateUntil = undefined;
      },
      onRefused: () => {
        this.#isRefused = true;
      },
    });
  }

  #extendResult(added: Partial<State> | undefined): void {
    this.#result = Object.assign({}, this.#result, added);
    Object.assign(this.#stepRun.state, this.#result);
  }

  #recordResult(
    phase: 'applied' | 'done',
    message?: ProgressMessage,
    changes?: RecordChanges,
  ): Promise<void> {
    const entry = {
      phase,
      at: this.#at,
      result: this.#result,
      isUncertain: this.#isUncertain,
      lateUntil: this.#lateUntil,
    };
    return this.#record(entry, message, changes);
  }

  async #record(entry: JournalEntry, message?: ProgressMessage, changes?: RecordChanges): Promise<void> {
    const { journal } = this.#stepRun;
    // Kept in memory first: a rollback needs the entry even when the store has lost the job.
    journal.steps.set(this.#step.name, entry);
    const write = withJournalErrors(this.#run.journal.write(this.#step.name, entry, message, changes));
    // A committed saga can only continue, and no other run can continue a job that the store has lost.
    await (isCommitted(this.#run, journal) ? isRecordGone(write) : write);
  }
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
