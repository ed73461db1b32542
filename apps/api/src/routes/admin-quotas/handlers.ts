import type { NewQuotaLimits } from '@gateway/jobs';
import { readAdminQuotas } from '@gateway/resources';
import { updateQuotasByJob } from '../../flows/update-quotas.ts';
import { isEmpty } from '../../http/schemas/is-empty.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { oneAtATime } from '../../resources/one-at-a-time.ts';

type QuotaRequest<Body = unknown> = RequestContext<{ project_id: string }, unknown, Body>;

export function getQuotas({ app, openstack, params }: QuotaRequest) {
  return readAdminQuotas(openstack, params.project_id, app.config);
}

export async function updateQuotas(request: QuotaRequest<NewQuotaLimits>) {
  const { body, openstack, params } = request;
  const projectId = params.project_id;
  if (isEmpty(body)) await openstack.identity.projects.get(projectId);
  else await oneAtATime(request, `quotas:${projectId}`, () => updateQuotasByJob(request, projectId, body));
  return { status: 'updated' as const };
}
