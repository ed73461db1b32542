import { fromStored, parseStored, storedForms, toStored } from '@gateway/core';
import type { Redis } from '@gateway/store';
import type { JobType } from '../catalog/catalog.ts';
import { jobTypes } from '../catalog/catalog.ts';
import type { QueuedJob } from '../catalog/queued-job.ts';
import type { JobBar } from '../estimates/job-bar.ts';
import { jobKeys } from '../keys.ts';
import type { JobFailure } from './job-failure.ts';

export const jobStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;

export type JobStatus = (typeof jobStatuses)[number];

/** Something that a rollback or a deletion could not remove. */
export interface Leftover {
  type: string;
  id: string;
  reason: string;
}

/** Its runs were lost with their workers, or an administrator has asked for it. */
export type HoldReason = 'lost_runs' | 'administrator';

export interface JobHold {
  reason: HoldReason;
  /** Milliseconds since the epoch. */
  at: number;
}

/** A job as its record stores it. */
export interface JobRecord {
  id: string;
  /** A `JobType`, or a type that only a newer release has (`isKnownJobType`). */
  type: string;
  projectId: string;
  userId: string;
  /** Null for a job that no request has started. */
  userName: string | null;
  /** The id of the request that started the job. */
  requestId: string;
  status: JobStatus;
  /** A running job undoes what it has done. */
  isRollingBack: boolean;
  step: string | null;
  progress: number;
  message: string;
  /** Null before the first message. */
  bar: JobBar | null;
  /** For how many milliseconds its runs before the last parking have held a slot. */
  heldMs: number;
  /** The resource that the job creates or changes, once its id is known. */
  resourceId: string | null;
  resourceName: string | null;
  resourceType: string | null;
  /** Set when the job failed, or is being undone: the error for the caller, with its status. */
  failure: JobFailure | null;
  leftovers: Leftover[];
  cancelRequested: boolean;
  /** Why the job must roll back, whatever its progress; null if it must not. */
  abortReason: JobFailure | null;
  /** Why no worker runs it until it is released; null if it is not held. */
  hold: JobHold | null;
  /** Number of its runs. */
  runs: number;
  /** Number of runs in a row that were lost with their workers, without progress. */
  lostRuns: number;
  /** Number of runs that a fault of the gateway has broken off. */
  faults: number;
  /** It can be neither cancelled nor rolled back any more. */
  isCommitting: boolean;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** Null until the first run. */
  startedAt: number | null;
  updatedAt: number;
}

/** The properties of a job that are known when it is requested. */
type NewJob = { type: JobType } & Pick<JobRecord, 'id' | 'projectId' | 'userId' | 'requestId'> &
  Partial<Pick<JobRecord, 'userName' | 'resourceId' | 'resourceName' | 'resourceType'>>;

/** What only scripts write. */
type WrittenByScripts =
  | 'createdAt'
  | 'faults'
  | 'heldMs'
  | 'hold'
  | 'isCommitting'
  | 'lostRuns'
  | 'runs'
  | 'startedAt'
  | 'updatedAt';

/** A record before it is written. */
export type NewRecord = Omit<JobRecord, WrittenByScripts>;

/** The initial record of a job. */
export function newRecord(job: NewJob): NewRecord {
  return {
    userName: null,
    status: 'queued',
    isRollingBack: false,
    step: null,
    progress: 0,
    message: 'Waiting for a worker.',
    bar: null,
    resourceId: null,
    resourceName: null,
    resourceType: jobTypes[job.type].resourceType,
    failure: null,
    leftovers: [],
    cancelRequested: false,
    abortReason: null,
    ...job,
  };
}

type Hash = Record<string, string>;

/** A job's queue entry, stored with its record; null when nothing is left to do for the job. */
export async function readQueued(redis: Redis, jobId: string): Promise<QueuedJob | null> {
  const text = await redis.hget(jobKeys.record(jobId), 'queued');
  return text === null ? null : parseStored<QueuedJob>(storedForms.job, text);
}

/**
 * A job's record from its hash; null when there is none. Ids that come from outside are checked first
 * (`isId`).
 */
export async function readJob(redis: Redis, jobId: string): Promise<JobRecord | null> {
  const hash = await redis.hgetall(jobKeys.record(jobId));
  return hash.id === undefined ? null : fromHash(fromStored(storedForms.jobRecord, hash));
}

/** The resource that the job creates or changes; null while its id is not known. */
export async function readResourceId(redis: Redis, jobId: string): Promise<string | null> {
  return (await redis.hget(jobKeys.record(jobId), 'resourceId')) || null;
}

export function toHash(record: NewRecord): Hash {
  return toStored(storedForms.jobRecord, {
    id: record.id,
    type: record.type,
    projectId: record.projectId,
    userId: record.userId,
    userName: record.userName ?? '',
    requestId: record.requestId,
    status: record.status,
    isRollingBack: record.isRollingBack ? '1' : '',
    step: record.step ?? '',
    progress: String(record.progress),
    message: record.message,
    bar: record.bar === null ? '' : JSON.stringify(record.bar),
    resourceId: record.resourceId ?? '',
    resourceName: record.resourceName ?? '',
    resourceType: record.resourceType ?? '',
    failure: record.failure === null ? '' : JSON.stringify(record.failure),
    leftovers: JSON.stringify(record.leftovers),
    cancelRequested: record.cancelRequested ? '1' : '',
    abortReason: record.abortReason === null ? '' : JSON.stringify(record.abortReason),
  });
}

function fromHash(hash: Hash): JobRecord {
  return {
    id: hash.id ?? '',
    type: hash.type ?? '',
    projectId: hash.projectId ?? '',
    userId: hash.userId ?? '',
    userName: hash.userName || null,
    requestId: hash.requestId ?? '',
    status: hash.status as JobStatus,
    isRollingBack: hash.isRollingBack === '1',
    step: hash.step || null,
    progress: Number(hash.progress),
    message: hash.message ?? '',
    bar: hash.bar ? (JSON.parse(hash.bar) as JobBar) : null,
    heldMs: Number(hash.heldMs ?? 0),
    resourceId: hash.resourceId || null,
    resourceName: hash.resourceName || null,
    resourceType: hash.resourceType || null,
    failure: hash.failure ? (JSON.parse(hash.failure) as JobFailure) : null,
    leftovers: JSON.parse(hash.leftovers || '[]') as Leftover[],
    cancelRequested: hash.cancelRequested === '1',
    abortReason: hash.abortReason ? (JSON.parse(hash.abortReason) as JobFailure) : null,
    hold: hash.hold ? (JSON.parse(hash.hold) as JobHold) : null,
    runs: Number(hash.fencingToken ?? 0),
    lostRuns: Number(hash.lostRuns ?? 0),
    faults: Number(hash.faults ?? 0),
    isCommitting: hash.isCommitting === '1',
    createdAt: Number(hash.createdAt),
    startedAt: hash.startedAt === undefined ? null : Number(hash.startedAt),
    updatedAt: Number(hash.updatedAt),
  };
}

export function hasEnded(record: JobRecord): boolean {
  return record.status === 'completed' || record.status === 'failed' || record.status === 'cancelled';
}

/** The jobs that have not ended and were created before this time, in milliseconds since the epoch. */
export function readOpenJobs(redis: Redis, before: number): Promise<string[]> {
  return redis.zrangebyscore(jobKeys.open, '-inf', before);
}
