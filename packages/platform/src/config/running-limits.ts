import type { JobsConfig, QueueName } from './config.ts';

/**
 * The number of jobs of one project that may run at once on each queue; 0 for no limit. By default it leaves
 * a slot of a single worker to other projects.
 */
export function runningLimits({
  concurrency,
  projectRunningLimit,
}: Pick<JobsConfig, 'concurrency' | 'projectRunningLimit'>): Record<QueueName, number> {
  const limitOf = (queue: QueueName) => projectRunningLimit ?? Math.max(1, concurrency[queue] - 1);
  return {
    provisioning: limitOf('provisioning'),
    cleanup: limitOf('cleanup'),
    maintenance: limitOf('maintenance'),
  };
}
