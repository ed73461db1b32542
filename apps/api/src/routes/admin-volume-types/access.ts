import { conflict } from '@gateway/core';
import {
  addNames,
  allProjectNames,
  presentVolumeTypeAccess,
  type VolumeTypeAccess,
} from '@gateway/resources';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { changingListsOf } from '../../resources/changing-lists.ts';
import type { TypeAccessBody } from './schemas.ts';

type TypeRequest<Body = unknown> = RequestContext<{ volume_type_id: string }, unknown, Body>;

/** Everybody may use a public type, so the service has no list. */
export async function listTypeAccess(request: TypeRequest): Promise<VolumeTypeAccess[]> {
  const { volumeTypes } = request.openstack.blockStorage;
  const { volume_type_id } = request.params;
  if ((await volumeTypes.get(volume_type_id)).is_public) return [];
  const access = await volumeTypes.listAccess(volume_type_id);
  return addNames(sourcesOf(request), access.map(presentVolumeTypeAccess), { project_id: allProjectNames });
}

/**
 * @throws 404 for an unknown project, which the block storage service does not check; 409 for a public type
 */
export async function addTypeAccess(request: TypeRequest<TypeAccessBody>): Promise<VolumeTypeAccess> {
  const { volume_type_id } = request.params;
  const { project_id } = request.body;
  const { blockStorage, identity } = request.openstack;
  const [project] = await Promise.all([identity.projects.get(project_id), requirePrivate(request)]);
  await changingListsOf(request, { projectId: project_id }, ['volume_type'], () =>
    blockStorage.volumeTypes.addAccess(volume_type_id, project_id),
  );
  return { volume_type_id, project_id, project_name: project.name };
}

/** Volumes of the project keep the type. */
export async function removeTypeAccess(
  request: RequestContext<{ volume_type_id: string; project_id: string }>,
): Promise<void> {
  const { project_id, volume_type_id } = request.params;
  await requirePrivate(request);
  await changingListsOf(request, { projectId: project_id }, ['volume_type'], () =>
    request.openstack.blockStorage.volumeTypes.removeAccess(volume_type_id, project_id),
  );
}

async function requirePrivate({ openstack, params }: TypeRequest): Promise<void> {
  const { is_public } = await openstack.blockStorage.volumeTypes.get(params.volume_type_id);
  if (is_public)
    throw conflict('already_done', 'Every project may use a public volume type. Make it private first.');
}
