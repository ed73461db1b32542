import type { NewQuotaLimits } from '@gateway/jobs';
import type { RequestContext } from '../pipeline/request-context.ts';
import { awaitEnd } from './await-end.ts';
import { enqueueWithDelegation } from './enqueue-with-delegation.ts';

/**
 * Enqueues a job that updates limits at several services, all or none, and waits for it. If this process
 * dies, the job still completes or restores the limits.
 *
 * @throws the failure of the job, 409 while another job updates them, 504 if it takes too long
 */
export async function updateQuotasByJob(
  request: RequestContext,
  quotaProjectId: string,
  limits: NewQuotaLimits,
): Promise<void> {
  const jobId = await enqueueWithDelegation(
    request,
    {
      type: 'quotas.update',
      payload: { quotaProjectId, limits },
      resourceId: quotaProjectId,
      exclusive: { subject: `quotas:${quotaProjectId}`, refusal: 'The quotas are being changed already.' },
    },
    { asAdministrator: true },
  );
  await awaitEnd(request, jobId, {
    timeoutSeconds: request.app.config.timeLimits.jobAcceptSeconds,
    pending: () => 'The quotas are still being changed.',
  });
}
