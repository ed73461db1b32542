import { conflict } from '@gateway/core';
import { type BoundClient, type ProjectRecord, serviceTitles, UpstreamError } from '@gateway/openstack';
import {
  describeContents,
  projectResourceTypes,
  readProjectContents,
  readProjectImages,
} from '@gateway/resources';
import type { RequestContext } from '../../pipeline/request-context.ts';

/**
 * A deleted project would leave its resources without an owner, so the project must be empty. The security
 * group that every project has does not count.
 *
 * @throws 409 with the numbers of its resources by type, 502 for a service that does not list them
 */
export async function requireEmptyProject(
  { app, openstack }: Pick<RequestContext, 'app' | 'openstack'>,
  projectId: string,
): Promise<void> {
  const types = await projectResourceTypes(openstack, app.config.services);
  const [contents, images, clusters] = await Promise.all([
    readProjectContents(openstack, projectId, types),
    readProjectImages(openstack, projectId),
    app.liteClusters.readOpenOfProject(projectId),
  ]).catch((error: unknown) => {
    throw withServiceName(error);
  });
  const owned = [
    ...clusters.map(() => ({ type: 'lite_cluster' as const })),
    ...contents.filter(({ name, type }) => type !== 'security_group' || name !== 'default'),
    ...images,
  ];
  if (owned.length === 0) return;
  throw conflict('not_empty', `The project cannot be deleted: it still owns ${describeContents(owned)}.`);
}

/** The project is there, whatever status a service has for its list, except for a rejected token. */
function withServiceName(error: unknown): unknown {
  if (!(error instanceof UpstreamError) || error.status === 401) return error;
  const detail = `The project cannot be deleted: the ${serviceTitles[error.service]} service does not say what the project owns.`;
  return new UpstreamError(502, 'upstream_error', detail, error);
}

/**
 * Some releases of the service close the connection when a project is renamed to a name in use.
 *
 * @throws 409 if another project of the domain has the name
 */
export async function requireFreeProjectName(
  { identity: { projects } }: BoundClient,
  { domain_id, id: projectId }: ProjectRecord,
  name: string,
): Promise<void> {
  const found = await projects.list({ name, domain_id });
  if (found.some(({ id }) => id !== projectId)) {
    throw conflict('name_taken', `Another project of the domain is named "${name}".`, { params: { name } });
  }
}
