import type { Leftover } from '@gateway/jobs';
import { mustWait } from '../../saga/index.ts';
import type { Searches } from '../resources/searches.ts';
import type { DeleteLiteClusterState, DeleteLiteClusterStepContext } from './saga.ts';

/** What takes longer is named in the record although nothing has failed. */
export const SLOW_MS = 30_000;

/** What the steps so far have left. */
export function leftoversIn(state: Readonly<Partial<DeleteLiteClusterState>>): Leftover[] {
  const {
    loadBalancersLeft = [],
    machinesLeft = [],
    resourcesLeft = [],
    searchLeft = [],
    lateLeft = [],
    storageLeft = [],
  } = state;
  return [
    ...loadBalancersLeft,
    ...machinesLeft,
    ...resourcesLeft,
    ...searchLeft,
    ...lateLeft,
    ...storageLeft,
  ];
}

/** Writes into the record what has been left so far, and what the current step leaves for now. */
export async function describeRest(
  context: DeleteLiteClusterStepContext,
  current: readonly Leftover[],
): Promise<void> {
  const { loadBalancersUnsearched = [], resourcesUnsearched = [], searchLeft } = context.state;
  const unsearched = searchLeft === undefined ? [...loadBalancersUnsearched, ...resourcesUnsearched] : [];
  // Of one kind, the latest.
  const known = [...unsearched, ...leftoversIn(context.state)].filter(
    ({ id, type }) => !current.some((other) => other.id === id && other.type === type),
  );
  await context.describeRest([...known, ...current]);
}

/**
 * Ends a step that has searched: parks the job if the searches should be tried again first, and writes what
 * could not be searched for into the record.
 */
export async function endSearch(
  context: DeleteLiteClusterStepContext,
  searches: Searches,
  patienceMs: number,
): Promise<Leftover[]> {
  await describeRest(context, searches.left);
  searches.retryFor(patienceMs);
  return searches.left;
}

/** Collects what a run of a step has not removed. */
export class Unfinished {
  readonly #context: DeleteLiteClusterStepContext;
  readonly #failed: Leftover[] = [];
  readonly #waiting: Leftover[] = [];

  constructor(context: DeleteLiteClusterStepContext) {
    this.#context = context;
  }

  add(leftover: Leftover, error: unknown): void {
    (mustWait(error) ? this.#waiting : this.#failed).push(leftover);
  }

  /** Called when the job is parked. */
  async describe(): Promise<void> {
    const isSlow = Date.now() - this.#context.since > SLOW_MS;
    const unfinished = new Map<string, Leftover>();
    for (const left of [...this.#failed, ...(isSlow ? this.#waiting : [])]) {
      unfinished.set(`${left.type} ${left.id}`, left);
    }
    if (unfinished.size > 0) await describeRest(this.#context, [...unfinished.values()]);
  }
}
