import { conflict } from '@gateway/core';
import { UpstreamError, type VolumeRecord } from '@gateway/openstack';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { changingListsOf } from '../../resources/changing-lists.ts';
import { reasonOf } from '../../resources/with-state-in-refusal.ts';
import type { ExtendVolumeBody, UpdateVolumeBody } from '../volumes/change-schemas.ts';
import { type ChangedVolume, changeVolume, enlargeVolume } from '../volumes/change-volume.ts';
import { removeVolume, requireNoSnapshots } from '../volumes/delete-volume.ts';
import type { ResetStatusBody } from './schemas.ts';
import type { UpdatedVolume } from './shapes.ts';

type VolumeRequest<Body = unknown> = RequestContext<{ volume_id: string }, unknown, Body>;

export async function updateVolume(request: VolumeRequest<UpdateVolumeBody>): Promise<UpdatedVolume> {
  const volume = await readVolume(request);
  const changed = await changing(request, volume, () =>
    changeVolume(changedVolume(request, volume), request.body),
  );
  return { id: volume.id, name: changed.name, status: changed.status, size: changed.size };
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
  const volume = await readVolume(request);
  await changing(request, volume, () => enlargeVolume(changedVolume(request, volume), request.body));
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

function changedVolume(request: VolumeRequest, volume: VolumeRecord): ChangedVolume {
  return { openstack: request.openstack, volume, read: () => readVolume(request) };
}

function changing<T>(request: VolumeRequest, volume: VolumeRecord, write: () => Promise<T>): Promise<T> {
  const projectId = volume['os-vol-tenant-attr:tenant_id'] ?? '';
  return changingListsOf(request, { projectId }, ['volume'], write);
}

/** The service answers 400 to a status that contradicts the volume's attachments. */
function explainReset(asked: string, error: unknown, { status }: VolumeRecord): unknown {
  if (!(error instanceof UpstreamError) || error.upstreamStatus !== 400) return error;
  const detail = `The volume cannot become ${asked} in its state ${status}: ${reasonOf(error)}`;
  return conflict('wrong_state', detail, { cause: error, upstream: error.upstream });
}
