import { notFound } from '@gateway/core';
import { type HypervisorRecord, UpstreamError } from '@gateway/openstack';
import { type HypervisorDetail, readHypervisorDetail } from '@gateway/views';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
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
  const { body, openstack } = request;
  const { service } = await findHypervisor(request);
  await openstack.compute.services.setStatus(service.id, body);
  return getHypervisor(request);
}

/** @throws 404 also for an id that is no UUID, for which the service answers 400 */
async function findHypervisor({ openstack, params }: HypervisorRequest): Promise<HypervisorRecord> {
  try {
    return await openstack.compute.hypervisors.get(params.id);
  } catch (error) {
    if (!(error instanceof UpstreamError) || error.upstreamStatus !== 400) throw error;
    throw notFound('There is no such hypervisor.', { cause: error, upstream: error.upstream });
  }
}
