import type { Config } from '@gateway/config';
import type { WaitOptions } from '@gateway/openstack';
import type { Patience } from './resources/removal.ts';

/** What a wait of a step goes by. */
export interface WaitingStep {
  readonly config: Pick<Config, 'jobs'>;
  readonly signal: AbortSignal;
  readonly since: number;
}

/** How long to wait for a removal, counted from when the step or its undo began. */
export function patience(step: WaitingStep, seconds: number): Patience {
  return { ...limits(step, seconds), stuckAfterMs: seconds * 1000 };
}

export function waiting(step: WaitingStep, describe: string, seconds: number): WaitOptions {
  return { ...limits(step, seconds), describe };
}

/** What takes over after the time was up looks for so long: the one look might fall on a service that is away. */
const LEAST_WAIT_MS = 10_000;

function limits({ config, signal, since }: WaitingStep, seconds: number): Omit<WaitOptions, 'describe'> {
  const timeoutMs = seconds * 1000;
  const leftMs = since + timeoutMs - Date.now();
  return {
    timeoutMs: Math.max(leftMs, Math.min(timeoutMs, LEAST_WAIT_MS)),
    intervalMs: config.jobs.pollIntervalMs,
    signal,
  };
}
