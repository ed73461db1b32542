import type { Config } from '@gateway/config';
import type { WaitOptions } from '@gateway/openstack';
import type { Patience } from './resources/removal.ts';

/** What a wait of a step goes by. */
export interface WaitingStep {
  readonly config: Pick<Config, 'jobs'>;
  readonly signal: AbortSignal;
  readonly since: number;
}

export function patience({ config, signal }: Omit<WaitingStep, 'since'>, seconds: number): Patience {
  return { seconds, intervalMs: config.jobs.pollIntervalMs, signal };
}

/** What takes over after the time was up looks for so long: the one look might fall on a service that is away. */
const LEAST_WAIT_MS = 10_000;

export function waiting(
  { config, signal, since }: WaitingStep,
  describe: string,
  seconds: number,
): WaitOptions {
  const timeoutMs = seconds * 1000;
  const leftMs = since + timeoutMs - Date.now();
  return {
    timeoutMs: Math.max(leftMs, Math.min(timeoutMs, LEAST_WAIT_MS)),
    intervalMs: config.jobs.pollIntervalMs,
    describe,
    signal,
  };
}
