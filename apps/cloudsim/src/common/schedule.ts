import type { Clock } from './clock.ts';

/** A function that the schedule runs later. Its arguments are records of the cloud, or other plain data. */
type Task<Cloud, Args extends unknown[]> = (cloud: Cloud, ...args: Args) => void;

/** The delayed transitions of the cloud. They are stored with its state, and continue after a restart. */
export interface Schedule<Cloud> {
  /** Runs the task after the delay. `cloud/tasks.ts` must list the task. */
  after<Args extends unknown[]>(delayMs: number, task: Task<Cloud, Args>, ...args: Args): void;
}

/** A scheduled task as plain data. */
export interface PendingTask {
  /** The function's name. */
  name: string;
  args: unknown[];
  /** Milliseconds since the epoch, without the clock's scale. */
  dueMs: number;
}

// biome-ignore lint/suspicious/noExplicitAny: each task has its own arguments
type AnyTask<Cloud> = Task<Cloud, any[]>;

export class TaskSchedule<Cloud> implements Schedule<Cloud> {
  readonly #pending = new Set<PendingTask>();
  readonly #tasks = new Map<string, AnyTask<Cloud>>();
  readonly #clock: Clock;
  readonly #cloud: () => Cloud;

  /** `cloud` is read for each task, because the cloud is created together with its schedule. */
  constructor(clock: Clock, cloud: () => Cloud, tasks: readonly AnyTask<Cloud>[]) {
    this.#clock = clock;
    this.#cloud = cloud;
    for (const task of tasks) {
      if (this.#tasks.has(task.name)) throw new Error(`two tasks have the name ${task.name}`);
      this.#tasks.set(task.name, task);
    }
  }

  after<Args extends unknown[]>(delayMs: number, task: Task<Cloud, Args>, ...args: Args): void {
    if (this.#tasks.get(task.name) !== task) throw new Error(`cloud/tasks.ts does not list ${task.name}`);
    this.#start({ name: task.name, args, dueMs: this.#clock.now() + delayMs }, delayMs);
  }

  /** The scheduled tasks, in the order of their due times. */
  pending(): PendingTask[] {
    return [...this.#pending].sort((a, b) => a.dueMs - b.dueMs);
  }

  /** Schedules stored tasks. Tasks that became due in the meantime run at once, in order. */
  resume(pending: readonly PendingTask[]): void {
    for (const task of pending) this.#start(task, Math.max(0, task.dueMs - this.#clock.now()));
  }

  clear(): void {
    this.#pending.clear();
  }

  #start(pending: PendingTask, delayMs: number): void {
    this.#pending.add(pending);
    this.#clock.after(delayMs, () => {
      if (this.#pending.delete(pending)) this.#tasks.get(pending.name)?.(this.#cloud(), ...pending.args);
    });
  }
}
