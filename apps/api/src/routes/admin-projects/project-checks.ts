import { conflict } from '@gateway/core';
import type { BoundClient } from '@gateway/openstack';

/**
 * A deleted project would leave its resources without an owner, so the project must be empty.
 *
 * @throws 409 with the numbers of its instances, volumes and networks
 */
export async function requireEmptyProject(openstack: BoundClient, projectId: string): Promise<void> {
  const [instances, volumes, networks] = await Promise.all([
    openstack.compute.servers.listIds(projectId),
    openstack.blockStorage.volumes.listIds(projectId),
    openstack.network.networks.listFields(['id'], ({ id }) => id, { project_id: projectId }),
  ]);
  const owned = [count(instances, 'instance'), count(volumes, 'volume'), count(networks, 'network')].filter(
    (text) => text !== null,
  );
  if (owned.length > 0) {
    const last = owned.pop();
    const all = owned.length === 0 ? last : `${owned.join(', ')} and ${last}`;
    throw conflict(`The project cannot be deleted: it still owns ${all}.`);
  }
}

function count({ length }: readonly string[], noun: string): string | null {
  if (length === 0) return null;
  return length === 1 ? `1 ${noun}` : `${length} ${noun}s`;
}

/**
 * Some releases of the service close the connection when a project is renamed to a name in use.
 *
 * @throws 409 if another project of the domain has the name, 404 for an unknown project
 */
export async function requireFreeProjectName(
  { identity: { projects } }: BoundClient,
  projectId: string,
  name: string,
): Promise<void> {
  const { domain_id } = await projects.get(projectId);
  const found = await projects.list({ name, domain_id });
  if (found.some(({ id }) => id !== projectId)) {
    throw conflict(`Another project of the domain is named "${name}".`);
  }
}
