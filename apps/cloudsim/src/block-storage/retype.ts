import { type JsonObject, stringAt } from '../common/json.ts';
import { badRequest } from '../common/service-error.ts';
import type { BlockStorageCloud } from './cloud.ts';
import { missingProperty } from './refusals.ts';
import type { Volume } from './state.ts';
import { findType, setStatus } from './volumes.ts';

const RETYPE_MS = 250;
const POLICIES = ['never', 'on-demand'];

/** Gives a volume another type. All types lie in the same storage system, so that no volume moves. */
export function retypeVolume(cloud: BlockStorageCloud, volume: Volume, input: JsonObject): void {
  const wanted = stringAt(input, 'new_type');
  if (wanted === undefined) throw missingProperty('os-retype', 'new_type');
  const policy = stringAt(input, 'migration_policy') ?? 'never';
  if (!POLICIES.includes(policy))
    throw badRequest(`Invalid input for field/attribute migration_policy. Value: ${policy}.`);
  const type = findType(cloud, wanted);
  const { status } = volume;
  if (!['available', 'in-use'].includes(status) || type === volume.type)
    throw badRequest(
      'Invalid volume: Retype needs volume to be in available or in-use state, not be part of an active migration or a consistency group, requested type has to be different that the one from the volume, and for in-use volumes front-end qos specs cannot change.',
    );
  setStatus(cloud, volume, 'retyping');
  cloud.schedule.after(RETYPE_MS, finishRetype, volume, type, status);
}

export function finishRetype(cloud: BlockStorageCloud, volume: Volume, type: string, status: string): void {
  if (volume.status !== 'retyping') return;
  volume.type = type;
  setStatus(cloud, volume, status);
}
