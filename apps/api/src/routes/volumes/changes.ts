import { type ActionRule, type VolumeState, volumeActions } from '@gateway/resources';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { getOwnVolume } from '../../resources/own-records.ts';
import { requireAction } from '../../resources/require-action.ts';
import type { ExtendVolumeBody, RetypeVolumeBody, UpdateVolumeBody } from './change-schemas.ts';
import { type ChangedVolume, changeVolume, enlargeVolume, retypeVolume } from './change-volume.ts';
import { presentNamed } from './present.ts';

type ChangeRequest<Body> = RequestContext<{ volume_id: string }, unknown, Body>;

/** Changes that a member makes to a volume of the project. */

export async function updateVolume(request: ChangeRequest<UpdateVolumeBody>) {
  return presentNamed(
    request,
    await changeVolume(await ownVolume(request, volumeActions.update), request.body),
  );
}

export async function extendOwnVolume(request: ChangeRequest<ExtendVolumeBody>) {
  await enlargeVolume(await ownVolume(request, volumeActions.extend), request.body);
  return { status: 'extending' as const };
}

export async function retypeOwnVolume(request: ChangeRequest<RetypeVolumeBody>) {
  await retypeVolume(await ownVolume(request, volumeActions.retype), request.body);
  return { status: 'retyping' as const };
}

async function ownVolume(
  request: ChangeRequest<unknown>,
  rule: ActionRule<VolumeState>,
): Promise<ChangedVolume> {
  const read = () => getOwnVolume(request, request.params.volume_id);
  const volume = await read();
  requireAction(request, rule, volume);
  return { openstack: request.openstack, volume, read };
}
