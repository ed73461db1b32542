import { conflict, notFound } from '@gateway/core';
import { type SecurityServiceCreate, UpstreamError } from '@gateway/openstack';
import {
  addNames,
  presentSecurityService,
  type SecurityService,
  shareNetworkNames,
} from '@gateway/resources';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { nameOf } from '../../resources/in-use.ts';
import { getOwnShareNetwork } from '../../resources/own-records.ts';

type ServiceRequest = RequestContext<{ security_service_id: string }>;
type PairRequest = RequestContext<{ share_network_id: string; security_service_id: string }>;

export async function listSecurityServices(request: RequestContext): Promise<SecurityService[]> {
  const services = await request.openstack.sharedFileSystem.securityServices.list();
  const rows = services.map((service) => presentSecurityService(service));
  return addNames(sourcesOf(request), rows, { share_network_ids: shareNetworkNames.project });
}

export async function createSecurityService({
  body,
  openstack,
}: RequestContext<unknown, unknown, SecurityServiceCreate>): Promise<SecurityService> {
  return presentSecurityService(await openstack.sharedFileSystem.securityServices.create(body));
}

/** @throws 404 also for one of another project, which the service refuses to members with 403 */
export async function getSecurityService(request: ServiceRequest): Promise<SecurityService> {
  const rows = await listSecurityServices(request);
  const found = rows.find(({ id }) => id === request.params.security_service_id);
  if (found === undefined) throw notFound('There is no such security service in this project.');
  return found;
}

/** @throws 409 while share networks use it */
export async function deleteSecurityService(request: ServiceRequest): Promise<void> {
  const service = await getSecurityService(request);
  requireUnused(service);
  try {
    await request.openstack.sharedFileSystem.securityServices.remove(service.id);
  } catch (error) {
    if (error instanceof UpstreamError && error.status === 403 && IN_USE.test(error.message))
      throw conflict('in_use', 'The security service cannot be deleted while share networks use it.', {
        cause: error,
        upstream: error.upstream,
      });
    throw error;
  }
}

const IN_USE = /assigned to share network/;

function requireUnused({ share_network_ids, share_network_names }: SecurityService): void {
  if (share_network_ids.length === 0) return;
  const named = share_network_ids
    .map((id, at) => nameOf('share network', { id, name: share_network_names[at] ?? '' }))
    .join(', ');
  throw conflict('in_use', `The security service cannot be deleted: first remove it from ${named}.`);
}

/** Does nothing if the share network has it. The service takes those of any project. */
export async function addSecurityService(request: PairRequest): Promise<void> {
  const { isUsed, shareNetworkId, service } = await readPair(request);
  if (isUsed) return;
  await request.openstack.sharedFileSystem.shareNetworks.addSecurityService(shareNetworkId, service.id);
}

/** @throws 404 if the share network does not have it */
export async function removeSecurityService(request: PairRequest): Promise<void> {
  const { isUsed, shareNetworkId, service } = await readPair(request);
  if (!isUsed) throw notFound('The share network does not have this security service.');
  await request.openstack.sharedFileSystem.shareNetworks.removeSecurityService(shareNetworkId, service.id);
}

async function readPair(request: PairRequest) {
  const [network, service] = await Promise.all([
    getOwnShareNetwork(request, request.params.share_network_id),
    getSecurityService(request),
  ]);
  return { isUsed: service.share_network_ids.includes(network.id), shareNetworkId: network.id, service };
}
