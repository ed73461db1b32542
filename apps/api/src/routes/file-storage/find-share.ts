import { notFound } from '@gateway/core';
import { type BoundClient, nullIfNotFound, type ShareRecord } from '@gateway/openstack';
import { isMarkedPrebuilt } from '@gateway/resources';
import type { RequestContext } from '../../pipeline/request-context.ts';

export interface FoundShare {
  share: ShareRecord;
  /** A client that may read the share. */
  client: BoundClient;
  /** The share holds a library for all projects. */
  isPrebuilt: boolean;
}

/**
 * Finds a share of the project, or a prebuilt one of the catalogue. The shared file system service also shows
 * public shares of other projects, and all shares to administrators: these are not found here.
 *
 * @throws 404
 */
export async function findShare(request: RequestContext, id: string): Promise<FoundShare> {
  const { openstack, caller } = request;
  const share = await nullIfNotFound(openstack.sharedFileSystem.shares.get(id));
  if (share !== null && share.project_id === caller.identity.projectId) {
    return { share, client: openstack, isPrebuilt: isMarkedPrebuilt(share) };
  }
  const prebuilt = await findPrebuilt(request, id);
  if (prebuilt === null) throw notFound('There is no such file storage in this project.');
  return prebuilt;
}

/**
 * Only shares that an administrator has created can be prebuilt: those of the gateway's own project, and
 * public ones.
 */
async function findPrebuilt({ app, requestId }: RequestContext, id: string): Promise<FoundShare | null> {
  const service = await app.serviceAccount.identity({ requestId });
  const client = await app.serviceAccount.bind({ requestId });
  if (service === null || client === null) return null;
  const share = await nullIfNotFound(client.sharedFileSystem.shares.get(id));
  if (share === null || !isMarkedPrebuilt(share)) return null;
  return share.is_public || share.project_id === service.projectId
    ? { share, client, isPrebuilt: true }
    : null;
}
