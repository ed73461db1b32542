import { type QueuedJob, SupersededError } from '@gateway/jobs';
import type { Tracing } from '@gateway/platform';
import { mustWait, ReleasedError } from '../saga/index.ts';

/**
 * Runs a job, or its sweep, within a span that continues the trace of the job's request, whichever worker
 * runs it.
 */
export function traceRun<Result>(
  tracing: Tracing | null,
  what: 'job' | 'sweep',
  { jobId, queued }: { jobId: string; queued: QueuedJob },
  action: () => Promise<Result>,
): Promise<Result> {
  if (tracing === null) return action();
  const { projectId, requestId, trace, type } = queued;
  const attributes = {
    'gateway.job.id': jobId,
    'gateway.job.type': type,
    'gateway.project_id': projectId,
    'gateway.request_id': requestId,
  };
  const options = { kind: 'consumer', attributes, parent: trace ?? {}, isExpected: isHandover } as const;
  return tracing.inSpan(`${what} ${type}`, options, action);
}

/** For the runner of sagas; undefined without traces. */
export function traceStep(tracing: Tracing | null, jobId: string) {
  if (tracing === null) return undefined;
  return <Result>(step: string, action: () => Promise<Result>): Promise<Result> => {
    const attributes = { 'gateway.job.id': jobId, 'gateway.job.step': step };
    return tracing.inSpan(`step ${step}`, { kind: 'internal', attributes, isExpected: isHandover }, action);
  };
}

/** The job continues in a later run. */
function isHandover(error: unknown): boolean {
  return mustWait(error) || error instanceof ReleasedError || error instanceof SupersededError;
}
