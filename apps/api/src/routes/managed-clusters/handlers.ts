import { GatewayError } from '@gateway/core';
import { type ClusterCreate, type ClusterRecord, explainMissingInCluster } from '@gateway/openstack';
import {
  type ClusterTemplate,
  clusterTemplateList,
  type ManagedCluster,
  managedClusterActions,
  nameManagedClusters,
  presentManagedCluster,
} from '@gateway/resources';
import { followResourceJob } from '../../flows/follow-resource-job.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { clustersOf, findManagedCluster, noSuchCluster } from '../../resources/find-managed-cluster.ts';
import { requireAction } from '../../resources/require-action.ts';
import { requireInCatalog } from '../../resources/require-in-catalog.ts';
import type { CreateManagedClusterBody } from './schemas.ts';

type CreateRequest = RequestContext<unknown, unknown, CreateManagedClusterBody>;
type ClusterRequest = RequestContext<{ cluster_id: string }>;

/** The service shows administrators the clusters of all projects. */
export async function listManagedClusters(request: RequestContext): Promise<ManagedCluster[]> {
  const { projectId } = request.caller.identity;
  const clusters = await clustersOf(request).list();
  const sources = sourcesOf(request);
  const own = clusters.filter(({ project_id }) => project_id === projectId);
  return nameManagedClusters(
    sources,
    own.map((cluster) => presentManagedCluster(cluster, sources)),
  );
}

export async function listClusterTemplates(request: RequestContext): Promise<ClusterTemplate[]> {
  requireInCatalog(request, 'containerInfra');
  return clusterTemplateList.load(sourcesOf(request));
}

export async function getManagedCluster(request: ClusterRequest): Promise<ManagedCluster> {
  return present(request, await findCluster(request));
}

export async function createManagedCluster(request: CreateRequest): Promise<ManagedCluster> {
  const { node_count = 1, master_count = 1, ...rest } = request.body;
  const cluster = { ...rest, node_count, master_count };
  const clusters = clustersOf(request);
  const id = await clusters.create(cluster).catch((error: unknown) => {
    throw explainMissingInCluster(error);
  });
  try {
    return await present(request, await clusters.get(id));
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    // The cluster exists: an error response would make the client create another one.
    request.logger.warn('A new cluster could not be read', { error });
    return present(request, newRecord(request, id, cluster));
  }
}

async function present(request: RequestContext, record: ClusterRecord): Promise<ManagedCluster> {
  const sources = sourcesOf(request);
  const cluster = presentManagedCluster(record, sources);
  await nameManagedClusters(sources, [cluster]);
  return cluster;
}

export function createManagedClusterAsync(request: CreateRequest) {
  requireInCatalog(request, 'containerInfra');
  const { cluster_template_id, keypair = null, master_count = 1, name, node_count = 1 } = request.body;
  const wanted = {
    name,
    templateId: cluster_template_id,
    nodeCount: node_count,
    masterCount: master_count,
    keyPair: keypair,
  };
  return followResourceJob(request, 'cluster.create', wanted, { resourceName: name });
}

export async function deleteManagedCluster(request: ClusterRequest): Promise<void> {
  const cluster = await findCluster(request);
  requireAction(request, managedClusterActions.delete, cluster);
  await clustersOf(request).remove(cluster.uuid);
}

/** @throws 404 also for a cluster of another project, which the service shows to administrators */
async function findCluster(request: ClusterRequest): Promise<ClusterRecord> {
  const cluster = await findManagedCluster(request, request.params.cluster_id);
  if (cluster.project_id !== request.caller.identity.projectId) throw noSuchCluster();
  return cluster;
}

/** What is known of a cluster that was just accepted. */
function newRecord(
  { app, caller }: Pick<RequestContext, 'app' | 'caller'>,
  uuid: string,
  cluster: ClusterCreate,
): ClusterRecord {
  return {
    ...cluster,
    uuid,
    project_id: caller.identity.projectId,
    status: 'CREATE_IN_PROGRESS',
    status_reason: '',
    api_address: '',
    coe_version: '',
    keypair: cluster.keypair ?? '',
    labels: cluster.labels ?? null,
    create_timeout: null,
    stack_id: null,
    created_at: new Date(app.clock.now()).toISOString(),
    updated_at: null,
  };
}
