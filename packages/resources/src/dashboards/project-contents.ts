import { conflict } from '@gateway/core';
import { type BoundClient, readWholeLists } from '@gateway/openstack';
import type { OptionalServices, ServiceName } from '@gateway/platform';
import { isOffered } from '../lists/is-offered.ts';

/** What a project can own, in the order of its removal: users of a resource come before the resource. */
export const PROJECT_RESOURCE_TYPES = [
  'load_balancer',
  'cluster',
  'container',
  'instance',
  'share_snapshot',
  'file_storage',
  'share_network',
  'security_service',
  'backup',
  'snapshot',
  'volume',
  'floating_ip',
  'router',
  'port',
  'network',
  'security_group',
] as const;

export type ProjectResourceType = (typeof PROJECT_RESOURCE_TYPES)[number];

/** A purge leaves the images. It removes the machines of lite clusters, and ends their records. */
type OwnedType = ProjectResourceType | 'image' | 'lite_cluster';

export interface ProjectResource {
  type: ProjectResourceType;
  id: string;
  /** Of a floating IP, its address. */
  name: string;
}

type Row = Pick<ProjectResource, 'id' | 'name'>;
type Reader = (openstack: BoundClient, projectId: string) => Promise<Row[]>;

const rowOf = ({ id, name }: { id: string; name: string | null }): Row => ({ id, name: name ?? '' });
const inProject = (project_id: string) => ({ all_tenants: 1, project_id }) as const;

const NAMED_FIELDS = ['id', 'name', 'project_id'] as const;

/** A row whose project the service does not say may be of another project. */
async function ownRows(
  projectId: string,
  read: Promise<(Row & { project_id: string })[]> | (Row & { project_id: string })[],
): Promise<Row[]> {
  return (await read).filter(({ project_id }) => project_id === projectId).map(rowOf);
}

const readers: Record<ProjectResourceType, Reader> = {
  load_balancer: async ({ loadBalancer }, project_id) =>
    ownRows(project_id, await loadBalancer.loadBalancers.list({ project_id })),
  cluster: async ({ containerInfra }, projectId) =>
    (await containerInfra.clusters.list())
      .filter(({ project_id }) => project_id === projectId)
      .map(({ name, uuid }) => ({ id: uuid, name })),
  container: async ({ container }, projectId) =>
    (await container.containers.listOfAll())
      .filter(({ project_id }) => project_id === projectId)
      .map(({ name, uuid }) => ({ id: uuid, name })),
  instance: ({ compute }, projectId) => compute.servers.listAs(rowOf, inProject(projectId)),
  share_snapshot: async ({ sharedFileSystem }, projectId) =>
    (await sharedFileSystem.snapshots.list(inProject(projectId))).map(rowOf),
  file_storage: async ({ sharedFileSystem }, projectId) =>
    (await sharedFileSystem.shares.list(inProject(projectId))).map(rowOf),
  share_network: async ({ sharedFileSystem }, projectId) =>
    (await sharedFileSystem.shareNetworks.list(inProject(projectId))).map(rowOf),
  security_service: async ({ sharedFileSystem }, projectId) =>
    (await sharedFileSystem.securityServices.list(inProject(projectId))).map(rowOf),
  backup: ({ blockStorage }, projectId) => blockStorage.backups.listAs(rowOf, inProject(projectId)),
  snapshot: ({ blockStorage }, projectId) => blockStorage.snapshots.listAs(rowOf, inProject(projectId)),
  volume: ({ blockStorage }, projectId) => blockStorage.volumes.listAs(rowOf, inProject(projectId)),
  floating_ip: ({ network }, project_id) =>
    ownRows(
      project_id,
      network.floatingIps.listFields(
        ['id', 'floating_ip_address', 'project_id'],
        ({ floating_ip_address: name, id, ...owner }) => ({ id, name, ...owner }),
        { project_id },
      ),
    ),
  router: ({ network }, project_id) =>
    ownRows(
      project_id,
      network.routers.listFields(NAMED_FIELDS, (router) => router, { project_id }),
    ),
  // A service removes the ports that it has created, such as those of routers, with their device.
  port: async ({ network }, project_id) =>
    ownRows(
      project_id,
      (
        await network.ports.listFields([...NAMED_FIELDS, 'device_owner'], (port) => port, { project_id })
      ).filter(({ device_owner }) => device_owner === '' || device_owner?.startsWith('compute:')),
    ),
  network: ({ network }, project_id) =>
    ownRows(
      project_id,
      network.networks.listFields(NAMED_FIELDS, (each) => each, { project_id }),
    ),
  // With a project in the query, the service would create the default group of the project.
  security_group: ({ network }, projectId) =>
    ownRows(
      projectId,
      network.securityGroups.listFields(NAMED_FIELDS, (group) => group),
    ),
};

/** The service of each type that a cloud may lack. */
const optional: Partial<Record<ProjectResourceType, ServiceName>> = {
  load_balancer: 'loadBalancer',
  cluster: 'containerInfra',
  container: 'container',
  share_snapshot: 'sharedFileSystem',
  file_storage: 'sharedFileSystem',
  share_network: 'sharedFileSystem',
  security_service: 'sharedFileSystem',
  backup: 'blockStorage',
  snapshot: 'blockStorage',
  volume: 'blockStorage',
};

/** The types whose services exist and are enabled. */
export async function projectResourceTypes(
  openstack: BoundClient,
  enabled: OptionalServices,
): Promise<ProjectResourceType[]> {
  const types: ProjectResourceType[] = [];
  for (const type of PROJECT_RESOURCE_TYPES) {
    const service = optional[type];
    if (service === undefined || (await isOffered(openstack, enabled, service))) types.push(type);
  }
  return types;
}

/** With one list for each type, for administrators. Throws if one of them cannot be read as a whole. */
export async function readProjectContents(
  openstack: BoundClient,
  projectId: string,
  types: readonly ProjectResourceType[],
): Promise<ProjectResource[]> {
  const list = async (type: ProjectResourceType) =>
    (await readers[type](openstack, projectId)).map((row) => ({ type, ...row }));
  const lists = await readWholeLists(() => Promise.all(types.map(list)));
  return lists.flat();
}

/** With hidden images, which other lists leave out; for administrators. */
export async function readProjectImages(
  { image }: BoundClient,
  projectId: string,
): Promise<{ type: 'image' }[]> {
  const lists = await Promise.all(
    [false, true].map((os_hidden) => image.images.list({ owner: projectId, visibility: 'all', os_hidden })),
  );
  return lists.flat().map(() => ({ type: 'image' }));
}

/** How many projects are directly below a project. */
export async function countChildProjects(
  { identity: { projects } }: BoundClient,
  projectId: string,
): Promise<number> {
  const listed = await readWholeLists(() => projects.list({ parent_id: projectId }));
  return listed.filter(({ parent_id }) => parent_id === projectId).length;
}

/**
 * The identity service deletes no project that has others below it, also where all are disabled.
 *
 * @param done such as `purged`
 * @throws 409 with the number of child projects
 */
export async function requireNoChildProjects(
  openstack: BoundClient,
  projectId: string,
  done: string,
): Promise<void> {
  const count = await countChildProjects(openstack, projectId);
  if (count === 0) return;
  const children = `${count} child project${count === 1 ? '' : 's'}`;
  throw conflict(
    'not_empty',
    `The project cannot be ${done}: it has ${children}, which must be deleted first.`,
  );
}

/** Such as `1 instance and 2 volumes`; null for nothing. */
export function describeContents(contents: readonly { type: OwnedType }[]): string | null {
  const counts = new Map<OwnedType, number>();
  for (const { type } of contents) counts.set(type, (counts.get(type) ?? 0) + 1);
  const parts = [...counts].map(([type, count]) => {
    const noun = type === 'file_storage' ? 'file storage' : type.replaceAll('_', ' ').replace('ip', 'IP');
    return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
  });
  const last = parts.pop();
  if (last === undefined) return null;
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}
