import type { ResourceName } from '@gateway/core';
import type { JobStatus, JobType } from '@gateway/jobs';
import type { Effect, WrittenResource } from './effect.ts';

/** What a request or a job has changed in one or more projects. */
export interface Written {
  projectIds: readonly string[];
  resources: readonly WrittenResource[];
  /** Who has sent the request: only this user sees what is personal. Null for a job. */
  userId: string | null;
  /** Null for a request, even if it has started a job. */
  jobId: string | null;
}

/** A resource that a request or a job names. */
export interface NamedResource {
  /** Null for what is no resource of the interface, such as a job or a part of a resource. */
  resource: ResourceName | null;
  id: string;
  /** Null if it is not known. */
  name: string | null;
}

interface EndOfActivity {
  requestId: string;
  /** Null for a log-in that was refused. */
  userId: string | null;
  userName: string | null;
  projectId: string | null;
  resources: readonly NamedResource[];
  /** The code of a failure. */
  code: string | null;
}

/** A write that has been answered. */
export interface EndedRequest extends EndOfActivity {
  kind: 'request';
  access: 'public' | 'token' | 'project' | 'admin';
  method: string;
  /** As it was declared: `/api/volumes/:volume_id`. */
  route: string;
  /** Whether it is about a session, or changes nothing that members see. */
  about: 'session' | 'unseen' | 'resources';
  /** What it does to which resource, if it does it. Null if it changes none of the interface. */
  effect: { resource: ResourceName; as: Effect['as'] | 'named' } | null;
  /** The type of the job that it starts, if it is accepted. */
  startsJob: JobType | null;
  /** The client's address. */
  address: string;
  /** A hash of the domain and name of a log-in. */
  nameHash: string | null;
  /** The project that the request names in its path, query or body. */
  targetProjectId: string | null;
  /** The status of the response; 499 if the client did not wait for it. */
  status: number;
  /** The job that the request has started. */
  jobId: string | null;
  /** Whether that job still runs when the response is sent. */
  isPending: boolean;
  /** The response is that of an earlier request with the same idempotency key. */
  isReplay: boolean;
}

/** A job that has ended, with or without a run. */
export interface EndedJob extends EndOfActivity {
  kind: 'job';
  jobId: string;
  type: string;
  status: JobStatus;
  /** Milliseconds since the epoch. */
  endedAt: number;
}

export type Ended = EndedRequest | EndedJob;
