import type { Redis } from '@gateway/redis';
import type { JobType } from '../catalog/catalog.ts';
import { jobKeys, resourceOf } from '../keys.ts';
import { type JobRecord, type JobStatus, readJob } from '../records/job-record.ts';
import { type JobState, stateOf } from '../records/present-job.ts';
import { jobPageScript } from './job-page-script.ts';
import { removeGoneScript } from './remove-gone-script.ts';

interface JobPageRequest {
  projectId: string;
  limit: number;
  /** Id of the last job of the previous page. */
  marker?: string;
  type?: JobType;
  status?: JobStatus;
  state?: JobState;
  userId?: string;
  /** Only the jobs of this resource. */
  resourceId?: string;
}

interface JobPage {
  jobs: JobRecord[];
  hasMore: boolean;
}

/** How many jobs are read at once when some of them are filtered out or have expired. */
const LARGE_BATCH = 100;

/**
 * One page of a project's jobs, newest first: two round trips where nothing is filtered. Null when the marker
 * is not in the list.
 *
 * The list is a sorted set of ids by creation time. It copies no fields of the records: each progress message
 * would write twice, and the copies would outlive the records, which expire by themselves. Ids of expired
 * records are removed while a page is read. One id more than requested shows whether there is a next page.
 */
export async function listJobs(redis: Redis, request: JobPageRequest): Promise<JobPage | null> {
  const { projectId, resourceId, limit, marker = '', type, status, state, userId } = request;
  const list =
    resourceId === undefined
      ? jobKeys.ofProject(projectId)
      : jobKeys.ofResource(resourceOf(projectId, resourceId));
  let isSparse = [type, status, state, userId].some((filter) => filter !== undefined);
  const jobs: JobRecord[] = [];
  for (let after = marker; ; ) {
    const wanted = limit + 1 - jobs.length;
    const batch = isSparse ? Math.max(wanted, LARGE_BATCH) : wanted;
    const ids = await idsAfter(redis, list, after, batch);
    if (ids === null) {
      // Only the caller's marker can be unknown: if a job expires while the list is read, all older jobs have
      // expired too.
      if (after === marker) return null;
      return { jobs, hasMore: false };
    }
    const records = await Promise.all(ids.map((id) => readJob(redis, id)));
    const gone = ids.filter((_id, index) => records[index] === null);
    if (gone.length > 0) {
      isSparse = true;
      await removeGone(redis, list, gone);
    }
    const there = records.filter((record) => record !== null);
    jobs.push(...there.filter((job) => isWanted(job, request)));
    if (jobs.length > limit) return { jobs: jobs.slice(0, limit), hasMore: true };
    if (ids.length < batch) return { jobs, hasMore: false };
    // An expired job is no longer in the list, so it cannot be the start of the next read.
    after = there.at(-1)?.id ?? after;
  }
}

function isWanted(job: JobRecord, { type, status, state, userId }: JobPageRequest): boolean {
  return (
    (type === undefined || job.type === type) &&
    (status === undefined || job.status === status) &&
    (state === undefined || stateOf(job) === state) &&
    (userId === undefined || job.userId === userId)
  );
}

async function idsAfter(redis: Redis, list: string, after: string, count: number): Promise<string[] | null> {
  return (await jobPageScript.run(redis, { jobs: list }, { marker: after, count })) as string[] | null;
}

async function removeGone(redis: Redis, list: string, ids: string[]): Promise<void> {
  const keys = { jobs: list, records: ids.map(jobKeys.record) };
  await removeGoneScript.run(redis, keys, { ids });
}
