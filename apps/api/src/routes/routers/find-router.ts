import { invalidInput, notFound } from '@gateway/core';
import type { RouterRecord } from '@gateway/openstack';
import { getVisibleNetwork } from '../../flows/read-network.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';

/** A router of the project. Administrators' tokens reach all routers. Throws 404. */
export async function getOwnRouter(
  { caller, openstack }: RequestContext,
  routerId: string,
): Promise<RouterRecord> {
  const router = await openstack.network.routers.get(routerId);
  if (router.project_id !== caller.identity.projectId) {
    throw notFound('There is no such router in this project.');
  }
  return router;
}

/** @throws 404 for a network that the project does not see, 400 for one that is not external */
export async function requireExternal(request: RequestContext, networkId: string): Promise<void> {
  const network = await getVisibleNetwork(request, networkId);
  if (network['router:external']) return;
  throw invalidInput(`The network "${network.name}" is not external.`, {
    errors: [{ field: 'body.external_network_id', message: 'must be an external network' }],
  });
}
