import { forbidden } from '@gateway/core';
import { oneOf, shape } from '@gateway/core/shapes';
import { type JobType, resumeJob } from '@gateway/jobs';
import type { AppContext } from '../../context.ts';

export const reportReceivedShape = shape('ReportReceived', {
  status: oneOf(['ok']),
});

/** Stores the report of a machine. Its job reads the report when it resumes. */
export async function receiveMachineReport(
  { callbacks, queues, redis }: Pick<AppContext, 'callbacks' | 'queues' | 'redis'>,
  type: JobType,
  { token, ...report }: { token: string; success?: boolean },
) {
  const isFinal = report.success !== undefined;
  const id = await callbacks.accept(token, report, { type, isFinal });
  if (id === null) throw forbidden('The token is unknown or no longer valid.');
  await resumeJob(redis.store, queues, { id, type });
  return { status: 'ok' as const };
}
