import type { QueueName } from '@gateway/config';
import type { Redis } from '@gateway/redis';
import { traitsOf } from '../catalog/job-traits.ts';
import { jobKeys } from '../keys.ts';
import type { Queues } from '../queues/queues.ts';
import { countResumeScript } from './count-resume-script.ts';
import { fairQueueingArgs, fairQueueingKeys, type SlotLimits } from './fair-queueing.ts';
import { firstProjectScript } from './first-project-script.ts';

type Job = { id: string; type: string; projectId: string };

/** Index of the last waiting job of a project that is tried. */
const LAST_CONSIDERED = '19';

export interface PromoteOptions extends SlotLimits {
  /**
   * Accepts a job that is already ready in the queue. Otherwise another job of its project is promoted as
   * well.
   */
  acceptReadyJob?: boolean;
}

/**
 * Finds the project that fair queueing serves next, and moves its oldest waiting job to the front of the
 * queue. Returns the project; null if no job may begin, or if none of these jobs is in the queue. Always
 * considers `projectId`.
 */
export async function promoteNextJob(
  redis: Redis,
  queues: Queues,
  { type, projectId }: Omit<Job, 'id'>,
  { acceptReadyJob = false, ...limits }: PromoteOptions = { runningLimit: 0 },
): Promise<string | null> {
  const { queue } = traitsOf(type);
  // Projects whose waiting jobs are not in the queue.
  const skippedProjects: string[] = [];
  for (;;) {
    const project = await firstProjectScript.run(redis, fairQueueingKeys(queue), {
      ...fairQueueingArgs(limits, projectId),
      skippedProjects,
    });
    if (typeof project !== 'string') return null;
    const jobIds = await redis.zrange(jobKeys.waiting(queue, project), 0, LAST_CONSIDERED);
    for (const [index, jobId] of jobIds.entries()) {
      await countResumeScript.run(redis, { record: jobKeys.record(jobId) });
      const state = await queues.bringToFront(queue, jobId);
      if (state === 'missing') continue;
      if (state === 'not-delayed' && !acceptReadyJob)
        await promoteOne(queues, queue, jobIds.slice(index + 1));
      return project;
    }
    skippedProjects.push(project);
  }
}

async function promoteOne(queues: Queues, queue: QueueName, jobIds: readonly string[]): Promise<void> {
  for (const jobId of await queues.delayedAmong(queue, jobIds)) {
    if (await queues.promote(queue, jobId)) return;
  }
}

/** How many jobs of its project wait before this one. */
export async function countJobsAhead(redis: Redis, { id, type, projectId }: Job): Promise<number> {
  return (await redis.zrank(jobKeys.waiting(traitsOf(type).queue, projectId), id)) ?? 0;
}
