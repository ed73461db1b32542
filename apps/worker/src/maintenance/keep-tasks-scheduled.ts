import { setInterval } from 'node:timers';
import { type ScheduledTaskName, scheduledTaskNames, scheduledTasksOf, taskIntervalMs } from '@gateway/jobs';
import type { WorkerContext } from '../context.ts';

interface TaskSchedule {
  close(): void;
}

const MAX_CHECK_INTERVAL_MS = 60_000;

/**
 * Schedules all tasks, and again whatever their queue has lost: at each connection to Redis, which may be
 * another server by then, and in intervals, because a server can lose entries while it stays connected.
 * Every worker does so, and only what is missing is written. The first time, it also removes the tasks that
 * only earlier settings had.
 */
export function keepTasksScheduled(worker: WorkerContext): TaskSchedule {
  const { config, logger, redis, stopping } = worker;
  let hasSucceeded = false;
  let isChecking = false;

  async function check(): Promise<void> {
    // While Redis is unavailable, a check waits.
    if (isChecking) return;
    isChecking = true;
    try {
      if (!hasSucceeded) await removeUnneeded(worker);
      const tasks = await scheduleMissing(worker);
      if (hasSucceeded && tasks.length > 0)
        logger.warn('Scheduled tasks were missing in their queue and are scheduled again', { tasks });
      hasSucceeded = true;
    } catch (error) {
      if (!stopping.signal.aborted) logger.error('Maintenance could not be scheduled', { error });
    } finally {
      isChecking = false;
    }
  }
  const checkNow = (): void => void check();
  checkNow();
  redis.queue.on('ready', checkNow);
  const timer = setInterval(checkNow, Math.min(MAX_CHECK_INTERVAL_MS, config.jobs.sweepSeconds * 1000));
  return {
    close() {
      clearInterval(timer);
      redis.queue.off('ready', checkNow);
    },
  };
}

/** Returns the tasks that were not scheduled. */
async function scheduleMissing({ config, queues }: WorkerContext): Promise<string[]> {
  const tasks = scheduledTasksOf(config);
  const schedule = (name: ScheduledTaskName) =>
    queues.schedule('maintenance', name, taskIntervalMs(name, config));
  const added = await Promise.all(tasks.map(schedule));
  return tasks.filter((_name, index) => added[index]);
}

async function removeUnneeded({ config, queues }: WorkerContext): Promise<void> {
  const tasks = scheduledTasksOf(config);
  const unneeded = scheduledTaskNames.filter((name) => !tasks.includes(name));
  await Promise.all(unneeded.map((name) => queues.unschedule('maintenance', name)));
}
