import type { Leftover } from '@gateway/jobs';
import { pollInterval } from '@gateway/openstack';
import { isAccessLost, mustWait, ParkedError } from '../../saga/index.ts';
import { type RemovingStep, reasonOf } from './remove-all.ts';
import { parkedIntervals } from './wait-options.ts';

/**
 * The searches of one step for what is to be removed. One that fails holds up no removal: it is logged, and
 * is a leftover without an id until a later search succeeds.
 */
export class Searches {
  /** The kinds that could not be searched for, without an id, and what `leave` has named. */
  readonly left: Leftover[] = [];
  readonly #step: RemovingStep;
  #canRetry = false;

  constructor(step: RemovingStep) {
    this.#step = step;
  }

  /** What the search finds; `otherwise` if it fails. */
  async of<T>(type: string, search: () => Promise<T>, otherwise: T): Promise<T> {
    const { logger, signal } = this.#step;
    try {
      return await search();
    } catch (error) {
      if (mustWait(error)) throw error;
      signal.throwIfAborted();
      logger.warn('Resources could not be searched for yet', { type, error });
      this.left.push({ type, id: '', reason: reasonOf(error) });
      this.#canRetry ||= !isAccessLost(error);
      return otherwise;
    }
  }

  /** Names what was found and stays, because it may belong to something else. */
  leave(leftover: Leftover): void {
    this.left.push(leftover);
  }

  /** Parks the job before the next attempt, until the step has lasted for this time. */
  retryFor(timeoutMs: number): void {
    const { config, since } = this.#step;
    const waitedMs = Date.now() - since;
    if (!this.#canRetry || waitedMs >= timeoutMs) return;
    throw new ParkedError(pollInterval(parkedIntervals(config), waitedMs));
  }
}

/** Resources of a kind that could not be searched for. */
export function isUnsearched({ id }: Leftover): boolean {
  return id === '';
}
