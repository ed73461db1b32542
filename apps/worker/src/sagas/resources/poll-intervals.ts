import type { PollIntervals } from '@gateway/openstack';
import type { Config } from '@gateway/platform';

export type PolledKind =
  | 'access rule'
  | 'attachment'
  | 'backup'
  | 'cluster'
  | 'image'
  | 'load balancer'
  | 'parked job'
  | 'server'
  | 'share'
  | 'volume';

/**
 * The first and the longest interval, in polling intervals of the configuration. They depend on how long the
 * kind of resource usually takes.
 */
const INTERVALS: Record<PolledKind, readonly [first: number, max: number]> = {
  'access rule': [0.25, 1],
  attachment: [0.3, 1],
  volume: [0.5, 2],
  share: [0.5, 3],
  server: [0.6, 3],
  'load balancer': [1, 5],
  // Each check is a run of the job.
  'parked job': [2, 10],
  backup: [1, 10],
  image: [1, 10],
  cluster: [2, 10],
};

export function pollIntervals(config: Pick<Config, 'jobs'>, kind: PolledKind): PollIntervals {
  const [first, max] = INTERVALS[kind];
  return { firstMs: first * config.jobs.pollIntervalMs, maxMs: max * config.jobs.pollIntervalMs };
}
