import type { QueueName } from '@gateway/config';
import type { Redis } from '@gateway/redis';
import type { JobType } from '../catalog/catalog.ts';
import { jobTraits } from '../catalog/job-traits.ts';
import { jobKeys } from '../keys.ts';
import type { Queues } from '../queues/queues.ts';
import { countResumeScript } from './count-resume-script.ts';
import { fairQueueingArgs, fairQueueingKeys, type SlotLimits } from './fair-queueing.ts';
import { firstProjectScript } from './first-project-script.ts';

type Job = { id: string; type: JobType; projectId: string };

/** Limits the waiting jobs of a project that are tried: index of the last one. */
const LAST_CONSIDERED = '19';

export interface PromoteOptions extends SlotLimits {
  /** Counts a job that is ready in the queue as the next job; otherwise another job of its project is promoted. */
  acceptReadyJob?: boolean;
}

/**
 * Makes the oldest waiting job of the project that fair queueing serves next the first one in the queue. Returns that
 * project; null when no job may begin, or none of them is in the queue. `projectId` is always considered.
 */
export async function promoteNextJob(
  redis: Redis,
  queues: Queues,
  { type, projectId }: Omit<Job, 'id'>,
  { acceptReadyJob = false, ...limits }: PromoteOptions = { runningLimit: 0 },
): Promise<string | null> {
  const { queue } = jobTraits[type];
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
  return (await redis.zrank(jobKeys.waiting(jobTraits[type].queue, projectId), id)) ?? 0;
}
