import { conflict, notFound } from '@gateway/core';
import { type ContainerAction, type ContainerRecord, isConflict, UpstreamError } from '@gateway/openstack';
import { type Container, isContainerInTransition, NO_NETWORKS, presentContainer } from '@gateway/resources';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { requireInCatalog } from '../../resources/require-in-catalog.ts';
import { readContainerNetworks } from './networks.ts';
import type { ContainerLogQuery, CreateContainerBody } from './schemas.ts';

type ContainerRequest<Query = unknown> = RequestContext<{ container_id: string }, Query>;

export async function listContainers(request: RequestContext): Promise<Container[]> {
  const { projectId } = request.caller.identity;
  const all = await containersOf(request).list();
  const containers = all.filter(({ project_id }) => project_id === projectId);
  const networks = await readContainerNetworks(request, containers);
  return containers.map((container) => presentContainer(container, networks));
}

export async function getContainer(request: ContainerRequest): Promise<Container> {
  const container = await findContainer(request);
  return presentContainer(container, await readContainerNetworks(request, [container]));
}

/** A new container has no address yet. */
export async function createContainer(
  request: RequestContext<unknown, unknown, CreateContainerBody>,
): Promise<Container> {
  const container = await containersOf(request).create(request.body);
  return presentContainer(container, NO_NETWORKS);
}

export async function deleteContainer(request: ContainerRequest): Promise<void> {
  const container = await findContainer(request);
  const { status, uuid } = container;
  try {
    await containersOf(request).remove(uuid);
  } catch (error) {
    const mayStay = status === 'Unknown' || isContainerInTransition(container);
    if (!mayStay || !isConflict(error)) throw error;
    const hint = 'If this state does not end, an administrator can force its deletion.';
    throw conflict('wrong_state', `The container cannot be deleted: its status is ${status}. ${hint}`, {
      cause: error,
    });
  }
}

/** Handler of an action, which the service carries out after its response. */
export function actionHandler<Status extends string>(action: ContainerAction, status: Status) {
  return async (request: ContainerRequest): Promise<{ status: Status }> => {
    const { uuid } = await findContainer(request);
    await containersOf(request).act(uuid, action);
    return { status };
  };
}

/** @throws 409 for a container that has not been made yet, or is being deleted */
export async function getContainerLog(
  request: ContainerRequest<ContainerLogQuery>,
): Promise<{ log: string }> {
  const { status, uuid } = await findContainer(request);
  try {
    return { log: await containersOf(request).log(uuid, request.query.length) };
  } catch (error) {
    // 400 for one whose creation has failed.
    const hasNone = error instanceof UpstreamError && [400, 409].includes(error.upstreamStatus ?? 0);
    if (!hasNone) throw error;
    throw conflict('wrong_state', `The container has no log: its status is ${status}.`, { cause: error });
  }
}

function containersOf(request: Pick<RequestContext, 'caller' | 'openstack'>) {
  requireInCatalog(request, 'container');
  return request.openstack.container.containers;
}

/** @throws 404 also for a name, which the service accepts too, and for a container of another project */
async function findContainer(request: ContainerRequest<unknown>): Promise<ContainerRecord> {
  const id = request.params.container_id;
  const container = await containersOf(request)
    .get(id)
    .catch((error: unknown) => {
      // The container belongs to another project (403), or several have this name (409).
      const isHidden = error instanceof UpstreamError && [403, 409].includes(error.upstreamStatus ?? 0);
      throw isHidden ? noSuchContainer() : error;
    });
  const isOwn = container.project_id === request.caller.identity.projectId;
  if (container.uuid !== id || !isOwn) throw noSuchContainer();
  return container;
}

function noSuchContainer(): Error {
  return notFound('There is no such container in this project.');
}
