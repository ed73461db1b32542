import { notFound } from '@gateway/core';
import type { ShareNetworkRecord } from '@gateway/openstack';
import type { RequestContext } from '../pipeline/request-context.ts';

/** @throws 404 also for one of another project, which the service shows to administrators */
export async function getOwnShareNetwork(
  { caller, openstack }: Pick<RequestContext, 'caller' | 'openstack'>,
  id: string,
): Promise<ShareNetworkRecord> {
  const network = await openstack.sharedFileSystem.shareNetworks.get(id);
  if (network.project_id === caller.identity.projectId) return network;
  throw notFound('There is no such share network in this project.');
}
