import { notFound } from '@gateway/core';
import type { RouterRecord } from '@gateway/openstack';
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
