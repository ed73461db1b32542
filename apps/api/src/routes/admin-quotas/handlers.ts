import { presentAdminQuotas, readAdminQuotas } from '@gateway/views';
import { updateQuotasByJob } from '../../flows/update-quotas.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { oneAtATime } from '../../resources/one-at-a-time.ts';
import type { QuotasBody } from './schemas.ts';

type QuotaRequest<Body = unknown> = RequestContext<{ project_id: string }, unknown, Body>;

export async function getQuotas({ openstack, params }: QuotaRequest) {
  const { compute, blockStorage } = await readAdminQuotas(openstack, params.project_id);
  return presentAdminQuotas(compute, blockStorage);
}

export async function updateQuotas(request: QuotaRequest<QuotasBody>) {
  const projectId = request.params.project_id;
  await oneAtATime(request, `quotas:${projectId}`, () => updateQuotasByJob(request, projectId, request.body));
  return { status: 'updated' as const };
}
