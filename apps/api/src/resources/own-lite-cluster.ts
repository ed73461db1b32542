import { notFound } from '@gateway/core';
import type { LiteCluster } from '@gateway/lite';
import type { RequestContext } from '../pipeline/request-context.ts';

/** @throws 404 for a lite cluster that does not exist or belongs to another project */
export async function getOwnLiteCluster(
  { app, caller }: Pick<RequestContext, 'app' | 'caller'>,
  clusterId: string,
): Promise<LiteCluster> {
  const cluster = await app.liteClusters.read(clusterId);
  if (cluster === null || cluster.projectId !== caller.identity.projectId) {
    throw notFound(`Cluster ${clusterId} was not found.`);
  }
  return cluster;
}
