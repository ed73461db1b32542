import { GatewayError } from '@gateway/core';
import { awaitJob, failureError, type NewQuotaLimits } from '@gateway/jobs';
import type { RequestContext } from '../pipeline/request-context.ts';
import { enqueueWithDelegation } from './enqueue-with-delegation.ts';

/**
 * Enqueues a job that updates limits at several services, all or none, and waits for it. If this process
 * dies, the job still completes or restores the limits.
 *
 * @throws the failure of the job, 409 while another job updates them, 504 if it takes too long
 */
export async function updateQuotasByJob(
  { app, caller, jobId, requestId }: RequestContext,
  quotaProjectId: string,
  limits: NewQuotaLimits,
): Promise<void> {
  await enqueueWithDelegation(
    { app, caller, requestId },
    (credential) =>
      app.producer.enqueue({
        type: 'quotas.update',
        payload: { quotaProjectId, limits },
        credential,
        requestId,
        jobId,
        resourceId: quotaProjectId,
        exclusive: { subject: `quotas:${quotaProjectId}`, refusal: 'The quotas are being changed already.' },
      }),
    { asAdministrator: true },
  );
  const record = await awaitJob(app.redis.store, app.relay, jobId, {
    timeoutMs: app.config.timeLimits.jobAcceptSeconds * 1000,
    signal: app.waitAbort.signal,
  });
  if (record === null) {
    throw new GatewayError(504, 'timeout', 'The quotas are still being changed. The job continues.', {
      jobId,
    });
  }
  if (record.failure !== null) throw failureError(record.failure, jobId);
}
