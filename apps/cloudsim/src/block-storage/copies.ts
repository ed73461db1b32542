import { newUuid } from '../common/ids.ts';
import { type JsonObject, stringAt, stringMapAt } from '../common/json.ts';
import type { Caller } from '../http/operation.ts';
import type { BlockStorageCloud } from './cloud.ts';
import { missingProperty } from './refusals.ts';
import type { Volume, VolumeCopy } from './state.ts';
import { findVolume } from './volumes.ts';

/** The volume that a request for a snapshot or a backup names. */
export function sourceVolume(
  cloud: BlockStorageCloud,
  caller: Caller,
  noun: string,
  input: JsonObject,
): Volume {
  const volumeId = stringAt(input, 'volume_id');
  if (volumeId === undefined) throw missingProperty(noun, 'volume_id');
  return findVolume(cloud, caller, volumeId);
}

/** The record of a new snapshot or backup. */
export function newCopy(
  cloud: BlockStorageCloud,
  caller: Caller,
  volume: Volume,
  input: JsonObject,
): VolumeCopy {
  return {
    id: newUuid(),
    projectId: caller.projectId,
    userId: caller.userId,
    name: stringAt(input, 'name') ?? null,
    description: stringAt(input, 'description') ?? null,
    status: 'creating',
    sizeGb: volume.sizeGb,
    volumeId: volume.id,
    metadata: stringMapAt(input, 'metadata'),
    createdMs: cloud.clock.now(),
    updatedMs: null,
  };
}
