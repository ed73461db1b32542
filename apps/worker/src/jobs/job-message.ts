import type { JobFailure, ProgressMessage } from '@gateway/jobs';
import type { ProgressUpdate } from '../saga/index.ts';

/** What the messages of all jobs contain. */
interface JobMessage<Step extends string> extends ProgressMessage {
  step: Step;
  error: string | null;
}

/** A message about a job, with the fields that only messages of its type have. */
export function jobMessage<Step extends string, Fields extends object>(
  { step, progress, message }: ProgressUpdate,
  failure: JobFailure | undefined,
  fields: Fields,
): JobMessage<Step> & Fields {
  return {
    // The steps of a saga publish only step names that its messages have.
    step: step as Step,
    progress,
    message,
    ...fields,
    error: failure?.detail ?? null,
    ...(failure && { code: failure.code }),
    ...(failure?.reason && { reason: failure.reason }),
    ...(failure?.params && { params: failure.params }),
    ...(failure?.errors && { errors: failure.errors }),
  };
}
