import { GatewayError } from '@gateway/core';
import type { JobPayload, JobType, ProgressLog } from '@gateway/jobs';
import type { BoundClient, CallContext, Identity } from '@gateway/openstack';
import type { Logger } from '@gateway/telemetry';
import type { WorkerContext } from './context.ts';

/** One run of one job: what a processor works with. */
export interface JobRun<T extends JobType = JobType> {
  readonly context: WorkerContext;
  readonly jobId: string;
  readonly type: T;
  readonly payload: JobPayload<T>;
  readonly projectId: string;
  /** Who asked for the job; null when the token has expired meanwhile. */
  readonly identity: Identity | null;
  /** For calls to services: carries the request's id, so that it is found in every log. */
  readonly call: CallContext;
  readonly log: ProgressLog;
  readonly logger: Logger;
  /** When the job was asked for, in milliseconds since the epoch. */
  readonly createdAt: number;
}

/** Does what jobs of one type are for, up to the last message; may be called again for the same job. */
export type Processor<T extends JobType> = (run: JobRun<T>) => Promise<void>;

/** The cloud as the job's owner sees it; throws when his token has expired, which turns a saga back. */
export function asOwner({ context, identity, call }: JobRun): BoundClient {
  if (identity === null) throw tokenExpired();
  return context.openstack.as(identity, call);
}

function tokenExpired(): GatewayError {
  return new GatewayError(401, 'token_expired', 'The token behind the job has expired.');
}
