import type { Config } from '@gateway/config';
import type { WaitOptions } from '@gateway/openstack';
import type { RemovalOptions } from './removal.ts';

/** The part of a step's context that bounds its waits. */
export interface WaitingStep {
  readonly config: Pick<Config, 'jobs'>;
  readonly signal: AbortSignal;
  readonly since: number;
}

/** The timeout of a removal, counted from when the step or its undo began. */
export function removalOptions(step: WaitingStep, seconds: number): RemovalOptions {
  return { ...limits(step, seconds), stuckAfterMs: seconds * 1000 };
}

export function waitOptions(step: WaitingStep, describe: string, seconds: number): WaitOptions {
  return { ...limits(step, seconds), describe };
}

/**
 * A run that resumes after the deadline still waits this long, because the service may be unavailable at its first
 * read.
 */
const MIN_WAIT_MS = 10_000;

function limits({ config, signal, since }: WaitingStep, seconds: number): Omit<WaitOptions, 'describe'> {
  const timeoutMs = seconds * 1000;
  const leftMs = since + timeoutMs - Date.now();
  return {
    timeoutMs: Math.max(leftMs, Math.min(timeoutMs, MIN_WAIT_MS)),
    intervalMs: config.jobs.pollIntervalMs,
    signal,
  };
}
