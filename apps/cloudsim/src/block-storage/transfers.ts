import { randomBytes } from 'node:crypto';
import { newUuid } from '../common/ids.ts';
import { type JsonObject, stringAt } from '../common/json.ts';
import { badRequest, notFound } from '../common/service-error.ts';
import { microseconds } from '../common/timestamps.ts';
import { selfAndBookmark } from '../http/links.ts';
import type { Caller } from '../http/operation.ts';
import { findOwned } from '../http/policy.ts';
import type { BlockStorageCall, BlockStorageCloud } from './cloud.ts';
import { requireVolumeQuota } from './quotas.ts';
import { missing, missingProperty } from './refusals.ts';
import type { Snapshot, Transfer, Volume } from './state.ts';
import { findVolume, setStatus } from './volumes.ts';

/** A transfer that the caller's project offers. Administrators can read all transfers. */
export function findTransfer(cloud: BlockStorageCloud, caller: Caller, id: string): Transfer {
  return findOwned(cloud.blockStorage.transfers, caller, id, missing('Transfer'));
}

export function createTransfer(cloud: BlockStorageCloud, caller: Caller, input: JsonObject): Transfer {
  const volumeId = stringAt(input, 'volume_id');
  if (volumeId === undefined) throw missingProperty('transfer', 'volume_id');
  const volume = findVolume(cloud, caller, volumeId);
  if (volume.status !== 'available') throw badRequest('Invalid volume: status must be available');
  for (const snapshot of snapshotsOf(cloud, volume))
    if (snapshot.status !== 'available')
      throw badRequest(`Invalid snapshot: snapshot: ${snapshot.id} status must be available`);
  const transfer: Transfer = {
    id: newUuid(),
    projectId: volume.projectId,
    volumeId,
    name: stringAt(input, 'name') ?? null,
    authKey: randomBytes(8).toString('hex'),
    createdMs: cloud.clock.now(),
  };
  cloud.blockStorage.transfers.set(transfer.id, transfer);
  setStatus(cloud, volume, 'awaiting-transfer');
  return transfer;
}

/** Gives the volume and its snapshots to the caller's project, and deletes the transfer. */
export function acceptTransfer(
  cloud: BlockStorageCloud,
  caller: Caller,
  id: string,
  authKey: string,
): Transfer {
  const { blockStorage } = cloud;
  const transfer = blockStorage.transfers.get(id);
  if (transfer === undefined) throw missing('Transfer')(id);
  if (transfer.authKey !== authKey)
    throw badRequest(`Invalid auth key: Attempt to transfer ${id} with invalid auth key.`);
  const volume = blockStorage.volumes.get(transfer.volumeId);
  if (volume === undefined) throw notFound(`Volume ${transfer.volumeId} could not be found.`);
  requireVolumeQuota(blockStorage, caller.projectId, { volumes: 1, gigabytes: volume.sizeGb });
  const snapshots = snapshotsOf(cloud, volume);
  requireVolumeQuota(blockStorage, caller.projectId, {
    snapshots: snapshots.length,
    gigabytes: snapshots.length * volume.sizeGb,
  });
  if (volume.status !== 'awaiting-transfer')
    throw badRequest(
      `Invalid volume: Transfer ${id}: Volume id ${volume.id} expected in awaiting-transfer state.`,
    );
  for (const owned of [volume, ...snapshots]) {
    owned.projectId = caller.projectId;
    owned.userId = caller.userId;
  }
  setStatus(cloud, volume, 'available');
  blockStorage.transfers.delete(id);
  return transfer;
}

export function deleteTransfer(cloud: BlockStorageCloud, transfer: Transfer): void {
  const volume = cloud.blockStorage.volumes.get(transfer.volumeId);
  if (volume?.status === 'awaiting-transfer') setStatus(cloud, volume, 'available');
  cloud.blockStorage.transfers.delete(transfer.id);
}

function snapshotsOf({ blockStorage }: BlockStorageCloud, { id }: Volume): Snapshot[] {
  return [...blockStorage.snapshots.values()].filter(({ volumeId }) => volumeId === id);
}

/** As in the response to an acceptance. */
export function presentBriefly({ id, name, volumeId }: Transfer, base: string): object {
  return { id, volume_id: volumeId, name, links: selfAndBookmark(base, `os-volume-transfer/${id}`) };
}

export function presentTransfer(transfer: Transfer, { base, minor }: BlockStorageCall): object {
  return {
    ...presentBriefly(transfer, base),
    created_at: microseconds(transfer.createdMs),
    ...(minor >= 55 && { no_snapshots: false }),
    ...(minor >= 57 && {
      destination_project_id: null,
      source_project_id: transfer.projectId,
      accepted: false,
    }),
  };
}
