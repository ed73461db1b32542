import { kinds, type PolledKind } from '@gateway/inventory';
import type { PollIntervals } from '@gateway/openstack';
import type { Config } from '@gateway/platform';

type JobsConfig = Pick<Config, 'jobs'>;

/** Between two checks of a wait for a resource of the kind. */
export function pollIntervals(config: JobsConfig, kind: PolledKind): PollIntervals {
  return inPollingIntervals(config, kinds[kind].poll);
}

/** Between two runs of a parked job. Each check is a run. */
export function parkedIntervals(config: JobsConfig): PollIntervals {
  return inPollingIntervals(config, [2, 10]);
}

function inPollingIntervals({ jobs }: JobsConfig, [first, max]: readonly [number, number]): PollIntervals {
  return { firstMs: first * jobs.pollIntervalMs, maxMs: max * jobs.pollIntervalMs };
}
