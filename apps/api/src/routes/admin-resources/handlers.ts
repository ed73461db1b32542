import { notFound } from '@gateway/core';
import { nullIfNotFound } from '@gateway/openstack';
import {
  addNames,
  allUserNames,
  instanceNames,
  mountablePaths,
  nameManagedClusters,
  presentFileStorage,
  presentImage,
  presentManagedCluster,
  presentProvider,
  presentVolume,
  promptOptionalRead,
  readNetworkDetail,
  shareNetworkNames,
  withNames,
} from '@gateway/resources';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { findManagedCluster } from '../../resources/find-managed-cluster.ts';
import { readAnyInstanceDetail } from '../../resources/read-instance.ts';
import { presentWithHealth } from '../lite-clusters/present.ts';
import type { Owner } from './schemas.ts';

type Reader<Name extends string> = RequestContext<Record<Name, string>>;

export async function getInstance(request: Reader<'instance_id'>) {
  const detail = await readAnyInstanceDetail(request, request.params.instance_id);
  return withOwner(request, detail.project_id, detail);
}

export async function getVolume(request: Reader<'volume_id'>) {
  const volume = await request.openstack.blockStorage.volumes.get(request.params.volume_id);
  const sources = sourcesOf(request);
  const row = presentVolume(volume, sources);
  await addNames(sources, row.attachments, { server_id: instanceNames.cloud });
  await withNames(sources, row, { user_id: allUserNames });
  return withOwner(request, volume['os-vol-tenant-attr:tenant_id'], row);
}

export async function getImage(request: Reader<'image_id'>) {
  const image = await request.openstack.image.images.get(request.params.image_id);
  const shown = await withOwner(request, image.owner, presentImage(image));
  return { ...shown, owner_name: shown.project_name || null };
}

/** With the routers of all projects that are connected to it. */
export async function getNetwork(request: Reader<'network_id'>) {
  const { openstack, params } = request;
  const network = await openstack.network.networks.get(params.network_id);
  const detail = await readNetworkDetail(sourcesOf(request), network, 'cloud');
  return withOwner(request, network.project_id, { ...detail, ...presentProvider(network) });
}

export async function getFileStorage(request: Reader<'file_storage_id'>) {
  const { app, openstack, params } = request;
  const { exportLocations, shares } = openstack.sharedFileSystem;
  const share = await shares.get(params.file_storage_id);
  const paths = mountablePaths(await exportLocations.list(share.id));
  const sources = sourcesOf(request);
  const row = presentFileStorage(share, paths, app.config.libraries, sources);
  await withNames(sources, row, { user_id: allUserNames, share_network_id: shareNetworkNames.cloud });
  return withOwner(request, share.project_id, row);
}

export async function getManagedCluster(request: Reader<'cluster_id'>) {
  const cluster = await findManagedCluster(request, request.params.cluster_id);
  const sources = sourcesOf(request);
  const row = presentManagedCluster(cluster, sources);
  await nameManagedClusters(sources, [row]);
  return withOwner(request, cluster.project_id, row);
}

/** Also one that is deleted, as long as its record is kept. */
export async function getLiteCluster(request: Reader<'cluster_id'>) {
  const { app, params } = request;
  const cluster = await app.liteClusters.read(params.cluster_id);
  if (cluster === null) throw notFound(`Cluster ${params.cluster_id} was not found.`);
  return withOwner(request, cluster.projectId, await presentWithHealth(request, cluster, 'cloud'));
}

/**
 * The resource with its project, and without actions in another project, whose endpoints do not find it.
 * While the identity service is unavailable, the name of the project is empty.
 */
async function withOwner<T extends object>(
  request: RequestContext,
  projectId: string | null,
  resource: T,
): Promise<Omit<T, keyof Owner> & Owner> {
  const { caller, openstack } = request;
  const isOwn = projectId === caller.identity.projectId;
  const actions = !isOwn && 'allowed_actions' in resource ? { allowed_actions: [] } : {};
  const reading = projectId ? nullIfNotFound(openstack.identity.projects.get(projectId)) : null;
  const project = reading && (await promptOptionalRead(sourcesOf(request), reading, null));
  return { ...resource, ...actions, project_id: projectId || null, project_name: project?.name ?? '' };
}
