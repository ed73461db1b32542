import { presentAdminQuotas } from '@gateway/views';
import { readQuotas, updateQuotas } from '../../flows/update-quotas.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { changingListsOf } from '../../resources/change-lists.ts';
import { oneAtATime } from '../../resources/one-at-a-time.ts';
import type { QuotasBody } from './schemas.ts';

type QuotaRequest<Body = unknown> = RequestContext<{ project_id: string }, unknown, Body>;

export async function getQuotas({ openstack, params }: QuotaRequest) {
  const { compute, storage } = await readQuotas(openstack, params.project_id);
  return presentAdminQuotas(compute, storage);
}

export async function setQuotas(request: QuotaRequest<QuotasBody>) {
  const projectId = request.params.project_id;
  await oneAtATime(request, `quotas:${projectId}`, () =>
    changingListsOf(request, { projectId }, ['quota'], () => updateQuotas(request, projectId, request.body)),
  );
  return { status: 'updated' as const };
}
