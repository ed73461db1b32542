import { notFound } from '@gateway/core';
import { type ClusterRecord, UpstreamError } from '@gateway/openstack';
import type { RequestContext } from '../pipeline/request-context.ts';
import { requireInCatalog } from './require-in-catalog.ts';

type Reader = Pick<RequestContext, 'caller' | 'openstack'>;

/** @throws 404 in a cloud without the service */
export function clustersOf(request: Reader) {
  requireInCatalog(request, 'containerInfra');
  return request.openstack.containerInfra.clusters;
}

/** A cluster that the service shows the caller. @throws 404 also for a name, which the service accepts too */
export async function findManagedCluster(request: Reader, id: string): Promise<ClusterRecord> {
  const cluster = await clustersOf(request)
    .get(id)
    .catch((error: unknown) => {
      // Several clusters have this name.
      if (error instanceof UpstreamError && error.upstreamStatus === 409) throw noSuchCluster();
      throw error;
    });
  if (cluster.uuid !== id) throw noSuchCluster();
  return cluster;
}

export function noSuchCluster(): Error {
  return notFound('There is no such cluster in this project.');
}
