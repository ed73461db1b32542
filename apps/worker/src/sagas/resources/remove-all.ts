import { GatewayError, sleep } from '@gateway/core';
import type { Leftover } from '@gateway/jobs';
import type { Config, Logger } from '@gateway/platform';
import { isAccessLost, mustWait, ParkedError } from '../../saga/index.ts';

export interface Removal {
  type: string;
  id: string;
  /** Can be repeated: a resource that is gone counts as removed. */
  remove(): Promise<void>;
  /** It uses what is removed after it: until the time limit, a refusal holds up the others, too. */
  holdsOthers?: boolean;
}

export interface RemovingStep {
  readonly config: Pick<Config, 'jobs'>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** When the step began, in milliseconds since the epoch. */
  readonly since: number;
  readonly sleep?: typeof sleep;
  /** Called for what a run has not removed: after each failure, and when it parks the job. */
  onUnfinished?(leftover: Leftover, error: unknown): void;
}

/**
 * Removes one after the other and retries until the step's time limit. Returns those that remain. A step that
 * parks its job is repeated from its beginning: before that, the removals behind one that was refused are
 * tried, too. The removals behind one that has begun, and takes time, wait for its end.
 */
export async function removeAll(
  step: RemovingStep,
  all: readonly Removal[],
  timeoutMs: number,
): Promise<{ leftovers: Leftover[] }> {
  const leftovers: Leftover[] = [];
  let refused: ParkedError | null = null;
  for (const removal of all) {
    const left = await removeOrLeave(step, removal, timeoutMs);
    if (left instanceof ParkedError) {
      if (removal.holdsOthers) throw left;
      refused ??= left;
    } else if (left !== null) leftovers.push(left);
  }
  if (refused !== null) throw refused;
  return { leftovers };
}

/** Tries each leftover once more. */
export function sweepAll(
  step: RemovingStep,
  all: readonly Removal[],
  leftovers: readonly Leftover[],
): Promise<{ leftovers: Leftover[] }> {
  const isLeft = ({ type, id }: Removal) => leftovers.some((left) => left.type === type && left.id === id);
  return removeAll(step, all.filter(isLeft), 0);
}

/** Returns null if it is removed, what parks the job if it was refused, and else what is left. */
async function removeOrLeave(
  { config, logger, onUnfinished, signal, since, sleep: pause = sleep }: RemovingStep,
  { type, id, remove }: Removal,
  timeoutMs: number,
): Promise<Leftover | ParkedError | null> {
  const deadline = since + timeoutMs;
  for (;;) {
    try {
      await remove();
      return null;
    } catch (error) {
      const leftover = { type, id, reason: reasonOf(error) };
      if (!signal.aborted) onUnfinished?.(leftover, error);
      if (mustWait(error)) throw error;
      signal.throwIfAborted();
      logger.warn('A resource could not be removed yet', { type, id, error });
      if (isAccessLost(error) || Date.now() >= deadline) return leftover;
      const parked = await pause(config.jobs.pollIntervalMs, signal).catch(ifParked);
      if (parked instanceof ParkedError) return parked;
    }
  }
}

function ifParked(error: unknown): ParkedError {
  if (error instanceof ParkedError) return error;
  throw error;
}

/** Why something is left, for users. */
export function reasonOf(error: unknown): string {
  return error instanceof GatewayError ? error.message : 'An internal error occurred.';
}
