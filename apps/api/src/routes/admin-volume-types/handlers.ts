import { conflict, type ResourceName } from '@gateway/core';
import { UpstreamError, type VolumeTypes } from '@gateway/openstack';
import { type AdminVolumeType, presentAdminVolumeType } from '@gateway/resources';
import type { ExtraSpecBody } from '../../http/schemas/extra-specs.ts';
import { isEmpty } from '../../http/schemas/is-empty.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { changingListsOf } from '../../resources/changing-lists.ts';
import { requireDispensable } from '../../resources/configured.ts';
import type { CreateVolumeTypeBody, UpdateVolumeTypeBody } from './schemas.ts';

type TypeRequest<Body = unknown> = RequestContext<{ volume_type_id: string }, unknown, Body>;

const CHANGED: readonly ResourceName[] = ['volume_type'];

export async function listVolumeTypes({ openstack }: RequestContext): Promise<AdminVolumeType[]> {
  return (await openstack.blockStorage.volumeTypes.listAll()).map(presentAdminVolumeType);
}

export async function createVolumeType(
  request: RequestContext<unknown, unknown, CreateVolumeTypeBody>,
): Promise<AdminVolumeType> {
  const { is_public, ...type } = request.body;
  const wanted = { ...type, 'os-volume-type-access:is_public': is_public };
  const created = await changingListsOf(request, 'everybody', CHANGED, () =>
    request.openstack.blockStorage.volumeTypes.create(wanted),
  );
  return presentAdminVolumeType(created);
}

export async function updateVolumeType(request: TypeRequest<UpdateVolumeTypeBody>): Promise<AdminVolumeType> {
  const { body, openstack, params } = request;
  const { volumeTypes } = openstack.blockStorage;
  if (body.name !== undefined) await requireDispensableType(request, 'renamed', body.name);
  if (!isEmpty(body)) {
    await changingListsOf(request, 'everybody', [...CHANGED, 'volume'], () =>
      volumeTypes.update(params.volume_type_id, body),
    );
  }
  // The response to a change has no extra specs.
  return presentAdminVolumeType(await volumeTypes.get(params.volume_type_id));
}

/** @throws 409 for a type that volumes have or the configuration names, and for the default type */
export async function deleteVolumeType(request: TypeRequest): Promise<void> {
  await requireDispensableType(request, 'deleted');
  return changeUnused(request, 'deleted', (types) => types.remove(request.params.volume_type_id));
}

/** @throws 409 for a type that volumes have */
export async function setTypeSpec(request: TypeRequest<ExtraSpecBody>): Promise<ExtraSpecBody> {
  const { key, value } = request.body;
  const { volume_type_id } = request.params;
  await changeUnused(request, 'changed', (types) => types.setExtraSpecs(volume_type_id, { [key]: value }));
  return { key, value };
}

/** @throws 409 for a type that volumes have */
export function removeTypeSpec(
  request: RequestContext<{ volume_type_id: string; key: string }>,
): Promise<void> {
  const { key, volume_type_id } = request.params;
  return changeUnused(request, 'changed', (types) => types.removeExtraSpec(volume_type_id, key));
}

/** The service answers 400 for a type in use. The input has been checked before. */
async function changeUnused(
  request: RequestContext<unknown>,
  done: string,
  change: (types: VolumeTypes) => Promise<void>,
): Promise<void> {
  try {
    await changingListsOf(request, 'everybody', CHANGED, () =>
      change(request.openstack.blockStorage.volumeTypes),
    );
  } catch (error) {
    if (!(error instanceof UpstreamError) || error.upstreamStatus !== 400) throw error;
    const options = { cause: error, upstream: error.upstream };
    throw conflict('in_use', `The volume type cannot be ${done}: ${error.message}`, options);
  }
}

function requireDispensableType(
  request: RequestContext<{ volume_type_id: string }, unknown, unknown>,
  done: string,
  newName?: string,
): Promise<void> {
  const { openstack, params } = request;
  const read = () => openstack.blockStorage.volumeTypes.get(params.volume_type_id);
  return requireDispensable(request, 'volume type', read, done, newName);
}
