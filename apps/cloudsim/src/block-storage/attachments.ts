import type { Cloud } from '../cloud.ts';
import { newUuid } from '../ids.ts';
import { badRequest } from '../refusal.ts';
import type { Volume } from './state.ts';
import { setStatus } from './volumes.ts';

/** Keeps an available volume for a server. Only the compute service calls this. */
export function reserveVolume(cloud: Cloud, volume: Volume): void {
  const [attached] = volume.attachments;
  if (attached !== undefined)
    throw badRequest(
      `Invalid volume: volume ${volume.id} is already attached to instances: ${attached.serverId}`,
    );
  if (volume.status !== 'available')
    throw badRequest(
      `Invalid input received: Invalid volume: status must be available or downloading to reserve, but the current status is ${volume.status}. (HTTP 400)`,
    );
  setStatus(cloud, volume, 'reserved');
}

export function attachVolume(cloud: Cloud, volume: Volume, serverId: string, device: string): string {
  const attachment = { id: newUuid(), serverId, device, attachedMs: cloud.clock.now() };
  volume.attachments = [attachment];
  setStatus(cloud, volume, 'in-use');
  return attachment.id;
}

/** Frees a volume that a server had, or had reserved. */
export function detachVolume(cloud: Cloud, volume: Volume): void {
  volume.attachments = [];
  if (volume.status !== 'deleting') setStatus(cloud, volume, 'available');
}
