import type { JobsConfig, QueueName } from './config.ts';

/**
 * The number of jobs of one project that may run at once on each queue; 0 for no limit. By default it leaves
 * a slot of a single worker to other projects. Read from the settings each time, because these can change.
 */
export function runningLimits(
  settings: Pick<JobsConfig, 'concurrency' | 'projectRunningLimit'>,
): Readonly<Record<QueueName, number>> {
  const limitOf = (queue: QueueName) =>
    settings.projectRunningLimit ?? Math.max(1, settings.concurrency[queue] - 1);
  return {
    get provisioning() {
      return limitOf('provisioning');
    },
    get cleanup() {
      return limitOf('cleanup');
    },
    get maintenance() {
      return limitOf('maintenance');
    },
  };
}
