import { notFound } from '@gateway/core';
import { nullIfNotFound } from '@gateway/openstack';
import {
  mountablePaths,
  presentFileStorage,
  presentImage,
  presentManagedCluster,
  presentProvider,
  presentVolume,
  readNetworkDetail,
} from '@gateway/views';
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
  return withOwner(request, volume['os-vol-tenant-attr:tenant_id'] ?? null, presentVolume(volume));
}

export async function getImage(request: Reader<'image_id'>) {
  const image = await request.openstack.image.images.get(request.params.image_id);
  return withOwner(request, image.owner, presentImage(image));
}

/** With the routers of all projects that are connected to it. */
export async function getNetwork(request: Reader<'network_id'>) {
  const { openstack, params } = request;
  const network = await openstack.network.networks.get(params.network_id);
  const detail = { ...(await readNetworkDetail(openstack, network)), ...presentProvider(network) };
  return withOwner(request, network.project_id, detail);
}

export async function getFileStorage(request: Reader<'file_storage_id'>) {
  const { app, openstack, params } = request;
  const { exportLocations, shares } = openstack.sharedFileSystem;
  const share = await shares.get(params.file_storage_id);
  const paths = mountablePaths(await exportLocations.list(share.id));
  return withOwner(request, share.project_id, presentFileStorage(share, paths, app.config.libraries));
}

export async function getManagedCluster(request: Reader<'cluster_id'>) {
  const cluster = await findManagedCluster(request, request.params.cluster_id);
  return withOwner(request, cluster.project_id, presentManagedCluster(cluster));
}

/** Also one that is deleted, as long as its record is kept. */
export async function getLiteCluster(request: Reader<'cluster_id'>) {
  const { app, params } = request;
  const cluster = await app.liteClusters.read(params.cluster_id);
  if (cluster === null) throw notFound(`Cluster ${params.cluster_id} was not found.`);
  return withOwner(request, cluster.projectId, await presentWithHealth(app, cluster));
}

async function withOwner<T>(
  { openstack }: Pick<RequestContext, 'openstack'>,
  projectId: string | null,
  resource: T,
): Promise<Omit<T, keyof Owner> & Owner> {
  const project = projectId ? await nullIfNotFound(openstack.identity.projects.get(projectId)) : null;
  return { ...resource, project_id: projectId || null, project_name: project?.name ?? '' };
}
