import { isId } from '@gateway/core';
import type { Redis } from '@gateway/store';
import type { JobType } from '../catalog/catalog.ts';
import { jobKeys } from '../keys.ts';
import type { JobFailure } from '../records/job-failure.ts';
import { hasEnded, type JobStatus, type Leftover, readJob } from '../records/job-record.ts';
import { isInterruption, readRestore } from '../records/restore.ts';
import { sweptJobs } from '../sweeps/sweep.ts';

/** A job whose mark is on a resource, if its record still exists. */
export interface OwningJob {
  /** As in `JobRecord`. */
  type: string;
  status: JobStatus;
  projectId: string;
  /** Of an ended job: when it ended, in milliseconds since the epoch. */
  updatedAt: number;
  /** It has ended, and the gateway still removes its leftovers, or searches for them. */
  isSwept: boolean;
  /** A restore of the store has ended it: it may have completed after the copy. */
  isInterrupted: boolean;
}

/** Something that an ended job could not remove. */
export interface JobLeftover extends Leftover {
  jobId: string;
  jobType: string;
  /** Of the job. */
  projectId: string;
}

/** The jobs that created resources of the cloud, delete them, or left them behind. */
export interface ResourceOwners {
  /** The requested jobs whose records exist. */
  jobs: ReadonlyMap<string, OwningJob>;
  /** Unfinished deletions of instances work on the resources with these ids. */
  underDeletion: ReadonlySet<string>;
  leftovers: readonly JobLeftover[];
  /**
   * When the store was last restored from a copy, in milliseconds since the epoch; null if it never was. Jobs
   * of the time between the copy and the restore are unknown.
   */
  restoredAt: number | null;
}

const BATCH_SIZE = 500;

/** @param jobIds from marks, which may contain any text */
export async function readResourceOwners(redis: Redis, jobIds: Iterable<string>): Promise<ResourceOwners> {
  const records = new Map<string, Omit<OwningJob, 'isSwept'>>();
  await inBatches([...new Set(jobIds)].filter(isId), async (id) => {
    const job = await readOwner(redis, id);
    if (job !== null) records.set(id, job);
  });
  const underDeletion = new Set<string>();
  await inBatches(await redis.zrange(jobKeys.open, '0', '-1'), async (id) => {
    for (const resource of await resourcesOfDeletion(redis, id)) underDeletion.add(resource);
  });
  // Read last, because a job with something to sweep enters the sweeps when it ends.
  const swept = new Set(await sweptJobs(redis));
  const jobs = new Map([...records].map(([id, job]) => [id, { ...job, isSwept: swept.has(id) }]));
  const leftovers = await readLeftovers(redis, [...swept]);
  const restore = await readRestore(redis);
  return { jobs, underDeletion, leftovers, restoredAt: restore?.begunAt ?? null };
}

async function readOwner(redis: Redis, id: string): Promise<Omit<OwningJob, 'isSwept'> | null> {
  const fields = await redis.hmget(jobKeys.record(id), 'type', 'status', 'projectId', 'updatedAt', 'failure');
  const [type, status, projectId, updatedAt, failure] = fields;
  if (!type || !status) return null;
  return {
    type,
    status: status as JobStatus,
    projectId: projectId ?? '',
    updatedAt: Number(updatedAt),
    isInterrupted: failure ? isInterruption(JSON.parse(failure) as JobFailure) : false,
  };
}

/**
 * A deletion works on what another job has created: on the instance, and on everything that its journal
 * names.
 */
async function resourcesOfDeletion(redis: Redis, id: string): Promise<string[]> {
  const [type, resourceId] = await redis.hmget(jobKeys.record(id), 'type', 'resourceId');
  if (type !== ('instance.delete' satisfies JobType)) return [];
  const journal = await redis.hvals(jobKeys.journal(id));
  return [resourceId ?? '', ...journal.flatMap(idsIn)];
}

function idsIn(json: string): string[] {
  const ids: string[] = [];
  JSON.parse(json, (_key, value: unknown) => {
    if (typeof value === 'string' && isId(value)) ids.push(value);
    return value;
  });
  return ids;
}

/** What ended jobs could not remove. */
export async function readAllLeftovers(redis: Redis): Promise<JobLeftover[]> {
  return readLeftovers(redis, await sweptJobs(redis));
}

async function readLeftovers(redis: Redis, jobIds: readonly string[]): Promise<JobLeftover[]> {
  const found: JobLeftover[] = [];
  await inBatches(jobIds, async (jobId) => {
    const job = await readJob(redis, jobId);
    if (job === null || !hasEnded(job)) return;
    const { leftovers, projectId, type: jobType } = job;
    found.push(...leftovers.map((left) => ({ ...left, jobId, jobType, projectId })));
  });
  return found;
}

async function inBatches<T>(items: readonly T[], read: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += BATCH_SIZE) {
    await Promise.all(items.slice(start, start + BATCH_SIZE).map(read));
  }
}
