import { notFound } from '@gateway/core';
import { startClusterCreation } from '../../flows/create-cluster.ts';
import { deleteCluster } from '../../flows/delete-cluster.ts';
import { scaleCluster } from '../../flows/scale-cluster.ts';
import { Attachment } from '../../http/response/attachment.ts';
import { JobStream } from '../../http/streams/event-streams.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { getClusterOfProject } from '../../resources/read-cluster.ts';
import { presentCluster } from './present.ts';
import type { ClusterListQuery, CreateClusterBody, ScaleClusterBody } from './schemas.ts';

type ClusterParams = { cluster_id: string };

export async function listClusters({ app, caller, query }: RequestContext<unknown, ClusterListQuery>) {
  const clusters = await app.clusters.readOfProject(caller.identity.projectId);
  const listed =
    query.include_deleted === true ? clusters : clusters.filter(({ status }) => status !== 'DELETED');
  const results = await app.clusterHealth.getMany(listed.map(({ id }) => id));
  return listed.map((cluster) => presentCluster(cluster, results.get(cluster.id)));
}

export async function getCluster(request: RequestContext<ClusterParams>) {
  const cluster = await getClusterOfProject(request, request.params.cluster_id);
  return presentCluster(cluster, (await request.app.clusterHealth.get(cluster.id)) ?? undefined);
}

export async function createCluster(request: RequestContext<unknown, unknown, CreateClusterBody>) {
  const { body, jobId } = request;
  await startClusterCreation(request, {
    name: body.name,
    agentCount: body.agent_count,
    agentFlavor: body.agent_flavor_id ?? null,
    networkId: body.network_id ?? null,
    keyName: body.key_name ?? null,
  });
  return new JobStream(jobId);
}

export async function scaleOne(request: RequestContext<ClusterParams, unknown, ScaleClusterBody>) {
  const cluster = await scaleCluster(request, request.params.cluster_id, request.body.agent_count);
  return presentCluster(cluster, (await request.app.clusterHealth.get(cluster.id)) ?? undefined);
}

export async function deleteOne(request: RequestContext<ClusterParams>) {
  await deleteCluster(request, request.params.cluster_id);
}

export async function getKubeconfig(request: RequestContext<ClusterParams>) {
  const cluster = await getClusterOfProject(request, request.params.cluster_id);
  // A cluster that is not complete yet may still be rolled back.
  const isComplete = cluster.status === 'ACTIVE';
  const text = isComplete ? await request.app.clusters.readSecret(cluster, 'kubeconfig') : null;
  if (text === null) throw notFound('The configuration file of the cluster does not exist, or not yet.');
  return new Attachment(`${cluster.name}.yaml`, text);
}
