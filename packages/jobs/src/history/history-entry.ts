import { parseStored, type ResourceName, storedForms } from '@gateway/core';
import type { JobType } from '../catalog/catalog.ts';
import type { JobFailure } from '../records/job-failure.ts';
import type { JobStatus } from '../records/job-record.ts';

/** A request that has changed something, or was refused to. Never a body: it may hold a secret. */
export interface HistoryRequest {
  requestId: string;
  userId: string;
  userName: string | null;
  method: string;
  /** As it was declared: `/api/volumes/:volume_id`. */
  route: string;
  /** The ids in the path, and those of what was created or changed. */
  resourceIds: string[];
  /** By id: the name in the response. */
  resourceNames?: Readonly<Record<string, string>>;
  /** By id: what it is, if it is a resource of the interface. */
  resourceTypes?: Readonly<Record<string, ResourceName>>;
  /** The status of the response; 499 if the client did not wait for it. */
  status: number;
  /** The code of an error response. */
  code: string | null;
  /** The job that the request has started. */
  jobId: string | null;
}

/** How a job has ended. */
export interface HistoryJob {
  requestId: string;
  userId: string;
  userName: string | null;
  type: JobType;
  status: JobStatus;
  resourceId: string | null;
  resourceName: string | null;
  resourceType: string | null;
  failure: JobFailure | null;
  /** Milliseconds since the epoch. */
  endedAt: number;
}

/** What somebody has done: a request, the job that it has started, or a job of the gateway itself. */
export interface HistoryEntry {
  /** That of the job, if there is one. */
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  request: HistoryRequest | null;
  /** Null while the job has not ended, and without a job. */
  job: HistoryJob | null;
}

/** `accepted`: a job continues. `unknown`: the client did not wait for the response. */
export type HistoryOutcome = 'accepted' | 'completed' | 'failed' | 'cancelled' | 'unknown';

const CLIENT_CLOSED_REQUEST = 499;

export function historyOutcome({ request, job }: HistoryEntry): HistoryOutcome {
  if (job !== null) return job.status === 'failed' || job.status === 'cancelled' ? job.status : 'completed';
  if (request === null) return 'unknown';
  if (request.jobId !== null && (request.status < 400 || request.status === CLIENT_CLOSED_REQUEST))
    return 'accepted';
  if (request.status === CLIENT_CLOSED_REQUEST) return 'unknown';
  return request.status < 400 ? 'completed' : 'failed';
}

/** All resources that the entry names, each once. */
export function historyResources({ request, job }: HistoryEntry): string[] {
  return [...new Set([...(request?.resourceIds ?? []), ...(job?.resourceId ? [job.resourceId] : [])])];
}

/** Whether the entry is about something of its user, not of the project: a key pair. */
export function isPersonal({ request }: HistoryEntry): boolean {
  return request?.route.startsWith('/api/keypairs') === true;
}

/** The names that the entry gives to resources, by id. */
export function namesInEntry(entry: HistoryEntry): [id: string, name: string][] {
  const { job, request } = entry;
  const names = Object.entries(request?.resourceNames ?? {});
  if (job?.resourceId != null && job.resourceName !== null) names.push([job.resourceId, job.resourceName]);
  if (!isPersonal(entry)) return names;
  // The name of a key pair is its id.
  return [...names, ...(request?.resourceIds ?? []).map((id): [string, string] => [id, id])];
}

/** What the ids in the entry are, if they are resources of the interface. */
export function typesInEntry({ job, request }: HistoryEntry): [id: string, type: string][] {
  const types: [string, string][] = Object.entries(request?.resourceTypes ?? {});
  if (job?.resourceId != null && job.resourceType !== null) types.push([job.resourceId, job.resourceType]);
  return types;
}

/** The job of the entry; null without one. */
export function historyJobId({ id, request, job }: HistoryEntry): string | null {
  return job === null ? (request?.jobId ?? null) : id;
}

/** @throws NewerFormError */
export function parseHistoryRequest(text: string): HistoryRequest {
  return parseStored<HistoryRequest>(storedForms.historyRequest, text);
}

/** @throws NewerFormError */
export function parseHistoryJob(text: string): HistoryJob {
  const { failure, ...job } = parseStored<Record<string, string>>(storedForms.historyJob, text);
  const orNull = (value: string | undefined) => value || null;
  return {
    requestId: job.requestId ?? '',
    userId: job.userId ?? '',
    userName: orNull(job.userName),
    type: job.type as JobType,
    status: job.status as JobStatus,
    resourceId: orNull(job.resourceId),
    resourceName: orNull(job.resourceName),
    resourceType: orNull(job.resourceType),
    failure: failure ? (JSON.parse(failure) as JobFailure) : null,
    endedAt: Number(job.updatedAt),
  };
}
