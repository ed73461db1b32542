import type { Redis } from '@gateway/store';
import type { JobType } from '../catalog/catalog.ts';
import { jobKeys, resourceOf } from '../keys.ts';
import { hasEnded, type JobRecord, type JobStatus, readJob } from '../records/job-record.ts';
import { type JobState, stateOf } from '../records/present-job.ts';
import { jobPageScript, removeGoneScript } from './scripts.ts';

interface JobFilter {
  limit: number;
  /** Id of the last job of the previous page. */
  marker?: string;
  type?: JobType;
  status?: JobStatus;
  state?: JobState;
  userId?: string;
}

interface JobPageRequest extends JobFilter {
  projectId: string;
  /** Only the jobs of this resource. */
  resourceId?: string;
}

/** Jobs of all projects and types. */
interface AnyJobPageRequest extends JobFilter {
  projectId?: string;
  resourceId?: string;
  /** Only jobs that were created by then, or since then. In milliseconds since the epoch. */
  createdBy?: number;
  createdSince?: number;
  hasEnded?: boolean;
}

interface JobPage {
  jobs: JobRecord[];
  hasMore: boolean;
}

/** How many jobs are read at once when some of them are filtered out or have expired. */
const LARGE_BATCH = 100;

/** The states of jobs that have not ended. */
const OPEN_STATES: readonly JobState[] = ['queued', 'running', 'rolling_back', 'held'];

/**
 * One page of a project's jobs that its members see, newest first: two round trips where nothing is filtered.
 * Null when the marker is not in the list.
 */
export function listJobs(redis: Redis, request: JobPageRequest): Promise<JobPage | null> {
  const { projectId, resourceId, ...filter } = request;
  const key =
    resourceId === undefined
      ? jobKeys.ofProject(projectId)
      : jobKeys.ofResource(resourceOf(projectId, resourceId));
  return readPage(redis, { key, findsGone: false }, filter);
}

/**
 * One page of the jobs of all projects and types, newest first. A state or a status that only unfinished jobs
 * have is searched among these. Null for an unknown marker.
 */
export function listAnyJobs(redis: Redis, request: AnyJobPageRequest): Promise<JobPage | null> {
  const isOpenState = [request.state, request.status].some(
    (each) => each !== undefined && OPEN_STATES.includes(each),
  );
  const isOpen = isOpenState || request.hasEnded === false;
  // A job may end between the reads of two pages.
  return readPage(redis, { key: isOpen ? jobKeys.open : jobKeys.all, findsGone: true }, request);
}

/**
 * A list is a sorted set of ids by creation time. It copies no fields of the records: each progress message
 * would write twice, and the copies would outlive the records, which expire by themselves. Ids of expired
 * records are removed while a page is read. One id more than requested shows whether there is a next page.
 */
async function readPage(redis: Redis, list: JobList, request: AnyJobPageRequest): Promise<JobPage | null> {
  const { limit, marker = '', createdSince = 0 } = request;
  let isSparse = Object.entries(request).some(
    ([name, filter]) => name !== 'limit' && name !== 'marker' && filter !== undefined,
  );
  const jobs: JobRecord[] = [];
  for (let after = marker; ; ) {
    const wanted = limit + 1 - jobs.length;
    const batch = isSparse ? Math.max(wanted, LARGE_BATCH) : wanted;
    const ids = await idsAfter(redis, list, after, batch, request.createdBy);
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
      await removeGone(redis, list.key, gone);
    }
    const there = records.filter((record) => record !== null);
    jobs.push(...there.filter((job) => isWanted(job, request)));
    if (jobs.length > limit) return { jobs: jobs.slice(0, limit), hasMore: true };
    const isOlder = (there.at(-1)?.createdAt ?? createdSince) < createdSince;
    if (ids.length < batch || isOlder) return { jobs, hasMore: false };
    // An expired job is no longer in the list, so it cannot be the start of the next read.
    after = there.at(-1)?.id ?? after;
  }
}

interface JobList {
  key: string;
  /** A job that has left the list is a marker, too. */
  findsGone: boolean;
}

function isWanted(job: JobRecord, request: AnyJobPageRequest): boolean {
  const { createdBy = Number.MAX_SAFE_INTEGER, createdSince = 0, state } = request;
  const isEqual = (['type', 'status', 'projectId', 'resourceId', 'userId'] as const).every(
    (field) => request[field] === undefined || job[field] === request[field],
  );
  return (
    isEqual &&
    (state === undefined || stateOf(job) === state) &&
    (request.hasEnded === undefined || hasEnded(job) === request.hasEnded) &&
    job.createdAt >= createdSince &&
    job.createdAt <= createdBy
  );
}

async function idsAfter(
  redis: Redis,
  { key, findsGone }: JobList,
  after: string,
  count: number,
  createdBy: number | '' = '',
): Promise<string[] | null> {
  const keys = { jobs: key, recordPrefix: jobKeys.record('') };
  return (await jobPageScript.run(redis, keys, { marker: after, count, createdBy, findsGone })) as
    | string[]
    | null;
}

async function removeGone(redis: Redis, list: string, ids: string[]): Promise<void> {
  const keys = { jobs: list, records: ids.map(jobKeys.record) };
  await removeGoneScript.run(redis, keys, { ids });
}
