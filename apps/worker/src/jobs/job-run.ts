import type { JobPayload, JobRecord, JobType, ProgressLog, SweepLog } from '@gateway/jobs';
import type { BoundClient, CallContext, Identity } from '@gateway/openstack';
import type { RollbackResult } from '@gateway/saga';
import type { Logger } from '@gateway/telemetry';
import type { WorkerContext } from '../context.ts';
import type { JobCredentials } from './job-credentials.ts';

/** A job as it was asked for, and who asked: what its work and its sweeping up have to go by. */
export interface JobFacts<T extends JobType = JobType> {
  readonly context: WorkerContext;
  readonly jobId: string;
  readonly type: T;
  readonly payload: JobPayload<T>;
  readonly projectId: string;
  /** Who asked for the job; null when the token has expired meanwhile. */
  readonly identity: Identity | null;
  /** By what right it works; of use also when the token has expired. */
  readonly credentials: JobCredentials;
  /** For calls to services: carries the request's id, so that it is found in every log. */
  readonly call: CallContext;
  readonly logger: Logger;
}

/** One run of one job. */
export interface JobRun<T extends JobType = JobType> extends JobFacts<T> {
  readonly log: ProgressLog;
  /** Why the job is to turn back whatever it has come to; null when it is not. */
  readonly abortReason: JobRecord['abortReason'];
}

/** What jobs of one type are for. */
export interface Processor<T extends JobType> {
  /** Does it, up to the last message; may be called again for the same job. */
  run(run: JobRun<T>): Promise<void>;
  /** Tries once more to remove what an ended job had to leave behind; gives what remains. */
  sweep?(facts: JobFacts<T>, log: SweepLog): Promise<RollbackResult>;
}

/** The cloud as the job's owner sees it; calls throw when his token has expired, which turns a saga back. */
export function asOwner({ credentials }: JobFacts): BoundClient {
  return credentials.owner;
}

/** The cloud for finding and removing what the job has made, by whatever right still works. */
export function asRemover({ credentials }: JobFacts): BoundClient {
  return credentials.remover;
}
