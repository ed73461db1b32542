import { type HypervisorDetail, readHypervisorDetail } from '@gateway/resources';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { findHypervisor } from './find-hypervisor.ts';
import type { UpdateHypervisorBody } from './schemas.ts';

type HypervisorRequest = RequestContext<{ id: string }>;

export async function getHypervisor(request: HypervisorRequest): Promise<HypervisorDetail> {
  const { dashboardPartSeconds } = request.app.config.timeLimits;
  return readHypervisorDetail(sourcesOf(request), await findHypervisor(request), dashboardPartSeconds * 1000);
}

/** Instances on a disabled host keep running; no new ones come to it. */
export async function updateHypervisor(
  request: HypervisorRequest & RequestContext<{ id: string }, unknown, UpdateHypervisorBody>,
): Promise<HypervisorDetail> {
  const { disabled_reason, status } = request.body;
  if (status !== undefined) {
    const { service } = await findHypervisor(request);
    await request.openstack.compute.services.setStatus(service.id, { status, disabled_reason });
  }
  return getHypervisor(request);
}
