import { GatewayError, sleep } from '@gateway/core';
import type { Leftover } from '@gateway/jobs';
import type { Config, Logger } from '@gateway/platform';
import { isAccessLost, mustWait } from '../../saga/index.ts';

export interface Removal {
  type: string;
  id: string;
  /** Can be repeated: a resource that is gone counts as removed. */
  remove(): Promise<void>;
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

/** Removes one after the other and retries until the step's time limit. Returns those that remain. */
export async function removeAll(
  step: RemovingStep,
  all: readonly Removal[],
  timeoutMs: number,
): Promise<{ leftovers: Leftover[] }> {
  const leftovers: Leftover[] = [];
  for (const removal of all) {
    const left = await removeOrLeave(step, removal, timeoutMs);
    if (left !== null) leftovers.push(left);
  }
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

async function removeOrLeave(
  { config, logger, onUnfinished, signal, since, sleep: pause = sleep }: RemovingStep,
  { type, id, remove }: Removal,
  timeoutMs: number,
): Promise<Leftover | null> {
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
      await pause(config.jobs.pollIntervalMs, signal);
    }
  }
}

/** Why something is left, for users. */
export function reasonOf(error: unknown): string {
  return error instanceof GatewayError ? error.message : 'An internal error occurred.';
}
