import { conflict } from '@gateway/core';
import type { BoundClient } from '@gateway/openstack';
import { describeContents, projectResourceTypes, readProjectContents } from '@gateway/views';
import type { RequestContext } from '../../pipeline/request-context.ts';

/**
 * A deleted project would leave its resources without an owner, so the project must be empty. The security
 * group that every project has does not count.
 *
 * @throws 409 with the numbers of its resources by type
 */
export async function requireEmptyProject(
  { app, openstack }: Pick<RequestContext, 'app' | 'openstack'>,
  projectId: string,
): Promise<void> {
  const types = projectResourceTypes(openstack, app.config.services);
  const contents = await readProjectContents(openstack, projectId, types);
  const owned = contents.filter(({ name, type }) => type !== 'security_group' || name !== 'default');
  if (owned.length === 0) return;
  throw conflict(`The project cannot be deleted: it still owns ${describeContents(owned)}.`);
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
