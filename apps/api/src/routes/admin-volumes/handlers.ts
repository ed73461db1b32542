import { conflict, invalidInput } from '@gateway/core';
import { UpstreamError, type VolumeRecord } from '@gateway/openstack';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { changingListsOf } from '../../resources/changing-lists.ts';
import { reasonOf, withStateInRefusal } from '../../resources/with-state-in-refusal.ts';
import { removeVolume, requireNoSnapshots } from '../volumes/delete-volume.ts';
import type { ExtendVolumeBody, ResetStatusBody, UpdatedVolume, UpdateVolumeBody } from './schemas.ts';

type VolumeRequest<Body = unknown> = RequestContext<{ volume_id: string }, unknown, Body>;

export async function updateVolume(request: VolumeRequest<UpdateVolumeBody>): Promise<UpdatedVolume> {
  const { body, openstack } = request;
  const { name, description } = body;
  const volume = await readVolume(request);
  const changed =
    name === undefined && description === undefined
      ? volume
      : await changing(request, volume, () =>
          withStateInRefusal({
            failure: 'The volume cannot be changed',
            write: () => openstack.blockStorage.volumes.update(volume.id, { name, description }),
            read: () => readVolume(request),
          }),
        );
  return { id: volume.id, name: changed.name ?? '', status: changed.status, size: changed.size };
}

export async function deleteVolume(request: VolumeRequest): Promise<void> {
  const volume = await readVolume(request);
  const checks = {
    read: () => readVolume(request),
    requireNoSnapshots: () => requireNoSnapshots(request, volume.id, { all_tenants: 1 }),
  };
  await changing(request, volume, () => removeVolume(request, volume.id, checks));
}

export async function extendVolume(request: VolumeRequest<ExtendVolumeBody>) {
  const { body, openstack } = request;
  const volume = await readVolume(request);
  if (body.new_size <= volume.size) {
    const message = `must be larger than ${volume.size}`;
    throw invalidInput(`The new size ${message}.`, { errors: [{ field: 'body.new_size', message }] });
  }
  await changing(request, volume, () =>
    withStateInRefusal({
      failure: 'The volume cannot be extended',
      write: () => openstack.blockStorage.volumes.extend(volume.id, body.new_size),
      read: () => readVolume(request),
    }),
  );
  return { status: 'extending' as const };
}

export async function resetVolumeStatus(request: VolumeRequest<ResetStatusBody | undefined>) {
  const { body, openstack } = request;
  const status = body?.status ?? 'available';
  const volume = await readVolume(request);
  await changing(request, volume, () =>
    openstack.blockStorage.volumes.resetStatus(volume.id, status).catch((error: unknown) => {
      throw explainReset(status, error, volume);
    }),
  );
  return { status };
}

/** A volume of any project. Throws 404. */
function readVolume({ openstack, params }: VolumeRequest): Promise<VolumeRecord> {
  return openstack.blockStorage.volumes.get(params.volume_id);
}

function changing<T>(request: VolumeRequest, volume: VolumeRecord, write: () => Promise<T>): Promise<T> {
  const projectId = volume['os-vol-tenant-attr:tenant_id'] ?? '';
  return changingListsOf(request, { projectId }, ['volume'], write);
}

/** The service answers 400 to a status that contradicts the volume's attachments. */
function explainReset(asked: string, error: unknown, { status }: VolumeRecord): unknown {
  if (!(error instanceof UpstreamError) || error.upstreamStatus !== 400) return error;
  const detail = `The volume cannot become ${asked} in its state ${status}: ${reasonOf(error)}`;
  return conflict(detail, { cause: error, upstream: error.upstream });
}
