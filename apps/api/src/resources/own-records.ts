import { notFound } from '@gateway/core';
import type { RequestContext } from '../pipeline/request-context.ts';

/**
 * What a path or a body names in the caller's project. The services show administrators the resources of all
 * projects, so the project is compared for everybody. All throw 404 for what is not in the project.
 */

export type ProjectReader = Pick<RequestContext, 'caller' | 'openstack'>;

/** @param what names the resource in the error */
export async function ofOwnProject<T extends { project_id: string }>(
  { caller }: Pick<ProjectReader, 'caller'>,
  what: string,
  read: Promise<T>,
): Promise<T> {
  const record = await read;
  if (record.project_id === caller.identity.projectId) return record;
  throw noSuch(what);
}

export async function getOwnFloatingIp(request: ProjectReader, id: string) {
  return ofOwnProject(request, 'floating IP', request.openstack.network.floatingIps.get(id));
}

export async function getOwnRouter(request: ProjectReader, id: string) {
  return ofOwnProject(request, 'router', request.openstack.network.routers.get(id));
}

export async function getOwnShareNetwork(request: ProjectReader, id: string) {
  return ofOwnProject(request, 'share network', request.openstack.sharedFileSystem.shareNetworks.get(id));
}

export async function getOwnShareSnapshot(request: ProjectReader, id: string) {
  return ofOwnProject(request, 'snapshot', request.openstack.sharedFileSystem.snapshots.get(id));
}

export async function getOwnBackup(request: ProjectReader, id: string) {
  return inBlockStorage(request, 'backup', request.openstack.blockStorage.backups, id);
}

export async function getOwnSnapshot(request: ProjectReader, id: string) {
  return inBlockStorage(request, 'snapshot', request.openstack.blockStorage.snapshots, id);
}

export async function getOwnVolume(request: ProjectReader, id: string) {
  return inBlockStorage(request, 'volume', request.openstack.blockStorage.volumes, id);
}

export function noSuch(what: string, cause?: unknown): Error {
  return notFound(`There is no such ${what} in this project.`, { cause });
}

/** Block storage hides the project of a record from members, by policy. */
async function inBlockStorage<T>(
  { caller }: ProjectReader,
  what: string,
  collection: { get(id: string): Promise<T>; belongsTo(projectId: string, record: T): Promise<boolean> },
  id: string,
): Promise<T> {
  const record = await collection.get(id);
  if (await collection.belongsTo(caller.identity.projectId, record)) return record;
  throw noSuch(what);
}
