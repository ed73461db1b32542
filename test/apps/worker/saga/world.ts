import { upstreamTimeout } from '@gateway/core';
import type { JobFailure, ProgressMessage } from '@gateway/jobs';
import {
  defineStep,
  type Journal,
  type JournalEntry,
  type JournalState,
  runSaga,
  type SagaEvents,
  type SagaOutcome,
  type SagaRun,
  type Step,
  sweepSaga,
} from '../../../../apps/worker/src/saga/index.ts';

/** The resources that exist outside of the saga, and the operations on them in order. */
export class World {
  readonly things: { step: string; id: string }[] = [];
  readonly log: string[] = [];
  #made = 0;

  make(step: string): string {
    const id = `${step}-${++this.#made}`;
    this.things.push({ step, id });
    this.log.push(`make ${step}`);
    return id;
  }

  find(step: string): string | null {
    return this.findAll(step)[0] ?? null;
  }

  findAll(step: string): string[] {
    return this.things.filter((thing) => thing.step === step).map(({ id }) => id);
  }

  remove(id: string): void {
    const at = this.things.findIndex((thing) => thing.id === id);
    if (at < 0) return;
    const [thing] = this.things.splice(at, 1);
    this.log.push(`remove ${thing?.step}`);
  }

  /** The number of resources of each step, by name. */
  get counts(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { step } of this.things) counts[step] = (counts[step] ?? 0) + 1;
    return counts;
  }
}

/**
 * A process that dies at its n-th point. There is a point before and after each operation
 * and each journal write.
 */
export class Process {
  #left: number;
  dead = false;

  constructor(diesAt = Number.POSITIVE_INFINITY) {
    this.#left = diesAt;
  }

  point(): void {
    if (--this.#left <= 0) this.dead = true;
    if (this.dead) throw new Error('The process is dead.');
  }
}

/** The stored state of a job, which survives its processes. */
export class Notebook {
  readonly steps = new Map<string, JournalEntry>();
  rollbackReason: JobFailure | null = null;
  readonly messages: ProgressMessage[] = [];
  resourceId: string | null = null;
  storeTime = Date.now;
}

/** The journal, as written by one process. */
export function journalOf(notebook: Notebook, process: Process): Journal {
  return {
    async load(): Promise<JournalState> {
      process.point();
      // A copy, as from a store, whose entries come in any order.
      const steps = new Map([...notebook.steps].reverse());
      return structuredClone({ steps, rollbackReason: notebook.rollbackReason });
    },
    async write(step, entry, message, changes) {
      process.point();
      notebook.steps.set(step, structuredClone(entry));
      if (message !== undefined) notebook.messages.push(message);
      if (changes?.resourceId !== undefined) notebook.resourceId = changes.resourceId;
      process.point();
    },
    async startRollback(failure) {
      process.point();
      notebook.rollbackReason = failure;
      process.point();
    },
    storeTime: async () => notebook.storeTime(),
  };
}

interface TestContext {
  world: World;
  process: Process;
}

export type TestState = Record<string, string>;
export type TestStep = Step<TestContext, TestState>;

/** What a test changes of a step. */
export type StepParts = Partial<Step<TestContext, TestState, TestState>>;

const define = defineStep<TestContext, TestState>();

/** A step that creates one resource with the name of the step. */
export function making(name: string, parts: StepParts = {}): TestStep {
  return define<TestState>({
    name,
    beginUpdate: { step: name.toUpperCase(), progress: 1, message: `Making ${name}.` },
    async run({ world, process }) {
      process.point();
      const id = world.make(name);
      process.point();
      return { [name]: id };
    },
    async find({ world, process }) {
      process.point();
      return world.findAll(name).map((id) => ({ [name]: id }));
    },
    async undo({ world, process }, result) {
      process.point();
      world.remove(result[name] ?? '');
      process.point();
    },
    leftover: (result) => ({ type: name, id: result[name] ?? '' }),
    ...parts,
  });
}

/** A step whose service fails this many times before it creates anything. */
export function failingFirst(times: number, error: Error, parts: StepParts = {}): TestStep {
  let calls = 0;
  return making('a', {
    run: async ({ world }) => {
      if (++calls <= times) throw error;
      return { a: world.make('a') };
    },
    ...parts,
  });
}

interface TestRun {
  steps: readonly TestStep[];
  world: World;
  notebook: Notebook;
  process?: Process;
  journal?: Journal;
  cancelled?: AbortSignal;
  stopping?: AbortSignal;
  abortReason?: JobFailure;
  mayBeBehind?: boolean;
  hasEndedBefore?(): Promise<boolean>;
  retryTimeoutMs?: number;
  undoTimeoutMs?: number;
  lateCallMs?: number;
  events?: SagaEvents;
}

export const upstream = { service: 'compute', status: 503, request_id: null };
/** The response of a service that may have done what it was asked. */
export const late = upstreamTimeout('Late.', { upstream: { ...upstream, status: null } });

const never = new AbortController().signal;

/** Runs the saga once, in one process. */
export function runOnce(run: TestRun): Promise<SagaOutcome<TestState>> {
  return runSaga(sagaRun(run));
}

interface SagaSuite {
  /** The resources and the journal of the current test. */
  readonly world: World;
  readonly notebook: Notebook;
  run(steps: readonly TestStep[], parts?: Partial<TestRun>): Promise<SagaOutcome<TestState>>;
  sweep(steps: readonly TestStep[]): ReturnType<typeof sweepSaga>;
  /** Begins anew within a test. */
  reset(): void;
}

/** Call within `describe`. Each test gets a world and a journal of its own. */
export function sagaSuite(defaults: Partial<TestRun> = {}): SagaSuite {
  let [world, notebook] = [new World(), new Notebook()];
  const reset = () => {
    [world, notebook] = [new World(), new Notebook()];
  };
  beforeEach(reset);
  return {
    get world() {
      return world;
    },
    get notebook() {
      return notebook;
    },
    run: (steps, parts = {}) => runOnce({ steps, world, notebook, ...defaults, ...parts }),
    sweep: (steps) => sweepSaga(sagaRun({ steps, world, notebook })),
    reset,
  };
}

export function sagaRun(run: TestRun): SagaRun<TestContext, TestState> {
  const process = run.process ?? new Process();
  return {
    steps: run.steps,
    context: { world: run.world, process },
    journal: run.journal ?? journalOf(run.notebook, process),
    toMessage: (update) => update,
    cancelled: run.cancelled ?? never,
    stopping: run.stopping ?? never,
    abortReason: run.abortReason ?? null,
    mayBeBehind: run.mayBeBehind,
    hasEndedBefore: run.hasEndedBefore,
    retryTimeoutMs: run.retryTimeoutMs ?? 0,
    undoTimeoutMs: run.undoTimeoutMs ?? 0,
    lateCallMs: run.lateCallMs ?? 0,
    events: run.events,
  };
}
