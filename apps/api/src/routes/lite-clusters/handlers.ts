import { nextReleases } from '@gateway/lite';
import { actorOf } from '../../auth/caller.ts';
import { deleteLiteClusterByJob } from '../../flows/delete-lite-cluster.ts';
import { repairLiteClusterByJob } from '../../flows/repair-lite-cluster.ts';
import { replaceLiteCredentialByJob } from '../../flows/replace-lite-credential.ts';
import { followLiteClusterScaling, scaleLiteClusterByJob } from '../../flows/scale-lite-cluster.ts';
import { startLiteClusterCreation } from '../../flows/start-lite-cluster-creation.ts';
import { startLiteClusterUpgrade } from '../../flows/upgrade-lite-cluster.ts';
import { Attachment } from '../../http/response/results.ts';
import { JobStream } from '../../http/streams/event-streams.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { getOwnLiteCluster } from '../../resources/own-lite-cluster.ts';
import { presentLiteClusters, presentWithHealth } from './present.ts';
import { readKubeconfig } from './read-kubeconfig.ts';
import type {
  CreateLiteClusterBody,
  KubeconfigQuery,
  LiteClusterListQuery,
  RepairLiteClusterBody,
  ScaleLiteClusterBody,
  UpgradeLiteClusterBody,
} from './schemas.ts';

type ClusterParams = { cluster_id: string };
type ScaleRequest = RequestContext<ClusterParams, unknown, ScaleLiteClusterBody>;

export async function listLiteClusters(request: RequestContext<unknown, LiteClusterListQuery>) {
  const { app, caller, query } = request;
  const { projectId } = caller.identity;
  const { liteClusters } = app;
  const listed =
    query.include_deleted === true
      ? await liteClusters.readOfProject(projectId)
      : await liteClusters.readOpenOfProject(projectId);
  return presentLiteClusters(request, listed, actorOf(caller));
}

export async function getLiteCluster(request: RequestContext<ClusterParams>) {
  return presentWithHealth(request, await getOwnLiteCluster(request, request.params.cluster_id));
}

export async function createLiteCluster(request: RequestContext<unknown, unknown, CreateLiteClusterBody>) {
  const { body, jobId } = request;
  const resourceId = await startLiteClusterCreation(request, {
    name: body.name,
    agentCount: body.agent_count,
    agentFlavor: body.agent_flavor_id ?? null,
    networkId: body.network_id ?? null,
    keyName: body.key_name ?? null,
  });
  return new JobStream(jobId, { resourceId });
}

export async function scaleLiteCluster(request: ScaleRequest) {
  const cluster = await scaleLiteClusterByJob(request, request.params.cluster_id, request.body.agent_count);
  return presentWithHealth(request, cluster);
}

export function scaleLiteClusterAsync(request: ScaleRequest) {
  return followLiteClusterScaling(request, request.params.cluster_id, request.body.agent_count);
}

export async function listLiteClusterUpgrades(request: RequestContext<ClusterParams>) {
  const cluster = await getOwnLiteCluster(request, request.params.cluster_id);
  return {
    current_version: cluster.k3sVersion,
    versions: nextReleases(cluster, request.app.config.lite.k3s),
  };
}

export async function upgradeLiteCluster(
  request: RequestContext<ClusterParams, unknown, UpgradeLiteClusterBody>,
) {
  const { cluster_id: id } = request.params;
  await startLiteClusterUpgrade(request, id, request.body.version);
  return presentWithHealth(request, await getOwnLiteCluster(request, id));
}

export async function repairLiteCluster(
  request: RequestContext<ClusterParams, unknown, RepairLiteClusterBody>,
) {
  const { body, params } = request;
  const cluster = await repairLiteClusterByJob(request, params.cluster_id, {
    node: body.node,
    force: body.force ?? false,
  });
  return presentWithHealth(request, cluster);
}

export async function replaceLiteCredential(request: RequestContext<ClusterParams>) {
  return presentWithHealth(request, await replaceLiteCredentialByJob(request, request.params.cluster_id));
}

export async function deleteLiteCluster(request: RequestContext<ClusterParams>) {
  await deleteLiteClusterByJob(request, request.params.cluster_id);
}

export async function getKubeconfig(request: RequestContext<ClusterParams, KubeconfigQuery>) {
  const cluster = await getOwnLiteCluster(request, request.params.cluster_id);
  return new Attachment(`${cluster.name}.yaml`, await readKubeconfig(request, cluster));
}
