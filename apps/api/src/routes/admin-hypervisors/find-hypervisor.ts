import { notFound } from '@gateway/core';
import { type HypervisorRecord, UpstreamError } from '@gateway/openstack';
import type { RequestContext } from '../../pipeline/request-context.ts';

/** @throws 404 also for an id that is no UUID, for which the service answers 400 */
export async function findHypervisor({
  openstack,
  params,
}: RequestContext<{ id: string }>): Promise<HypervisorRecord> {
  try {
    return await openstack.compute.hypervisors.get(params.id);
  } catch (error) {
    if (!(error instanceof UpstreamError) || error.upstreamStatus !== 400) throw error;
    throw notFound('There is no such hypervisor.', { cause: error, upstream: error.upstream });
  }
}
