import { newUuid } from '../common/ids.ts';
import { type JsonObject, numberAt, pythonRepr, stringAt, stringMapAt } from '../common/json.ts';
import { badRequest, notFound } from '../common/service-error.ts';
import { microseconds } from '../common/timestamps.ts';
import { selfAndBookmark } from '../http/links.ts';
import type { Caller } from '../http/operation.ts';
import { findOwned } from '../http/policy.ts';
import { canSeeImage } from '../image/images.ts';
import type { Image } from '../image/state.ts';
import type { BlockStorageCloud } from './cloud.ts';
import { requireVolumeQuota } from './quotas.ts';
import { malformed, missing, notStored } from './refusals.ts';
import type { Snapshot, Volume } from './state.ts';

const CREATE_MS = 250;
const FROM_IMAGE_MS = 800;
const DELETE_MS = 300;
const EXTEND_MS = 250;
const DELETABLE_STATUSES = new Set([
  'available',
  'error',
  'error_restoring',
  'error_extending',
  'error_managing',
]);

export function findVolume(cloud: BlockStorageCloud, caller: Caller, id: string): Volume {
  return findOwned(cloud.blockStorage.volumes, caller, id, missing('Volume'));
}

export function setStatus(cloud: BlockStorageCloud, volume: Volume, status: string): void {
  volume.status = status;
  volume.updatedMs = cloud.clock.now();
}

export function createVolume(cloud: BlockStorageCloud, caller: Caller, input: JsonObject): Volume {
  const source = requestedSource(cloud, caller, input);
  const asked = requestedImage(cloud, caller, input);
  const snapshot = requestedSnapshot(cloud, caller, input, asked);
  const image = snapshot === undefined ? asked : undefined;
  const sizeGb = requestedSize(input) ?? source?.sizeGb ?? snapshot?.sizeGb;
  if (sizeGb === undefined) throw malformed();
  if (image !== undefined) requireSizeForImage(sizeGb, image);
  requireSizeForCopy(sizeGb, source, 'original volume');
  requireSizeForCopy(sizeGb, snapshot, 'snapshot', 'original snapshot');
  if (stringAt(input, 'name')?.isWellFormed() === false) throw notStored();
  const { volumeZones } = cloud.settings;
  const zone = stringAt(input, 'availability_zone') ?? volumeZones[0] ?? '';
  if (!volumeZones.includes(zone)) throw badRequest(`Availability zone '${zone}' is invalid.`);
  const type = requestedType(cloud, input) ?? (source ?? originOf(cloud, snapshot))?.type;
  requireVolumeQuota(cloud.blockStorage, caller.projectId, { volumes: 1, gigabytes: sizeGb });
  const volume: Volume = {
    id: newUuid(),
    projectId: caller.projectId,
    userId: caller.userId,
    name: stringAt(input, 'name') ?? null,
    description: stringAt(input, 'description') ?? null,
    status: 'creating',
    sizeGb,
    type: type ?? cloud.blockStorage.defaultType,
    zone,
    snapshotId: snapshot?.id ?? null,
    sourceVolumeId: source?.id ?? null,
    metadata: stringMapAt(input, 'metadata'),
    imageMetadata: (source ?? originOf(cloud, snapshot))?.imageMetadata ?? null,
    bootable: (source ?? originOf(cloud, snapshot))?.bootable ?? false,
    attachments: [],
    reservation: null,
    createdMs: cloud.clock.now(),
    updatedMs: null,
  };
  cloud.blockStorage.volumes.set(volume.id, volume);
  fill(cloud, volume, image);
  return volume;
}

const COPIED_STATUSES = ['available', 'in-use'];

function requestedSource(cloud: BlockStorageCloud, caller: Caller, input: JsonObject): Volume | undefined {
  const id = stringAt(input, 'source_volid');
  if (id === undefined) return undefined;
  const source = findVolume(cloud, caller, id);
  if (COPIED_STATUSES.includes(source.status)) return source;
  throw badRequest(
    `Invalid volume: Volume status must be one of (${COPIED_STATUSES.join(', ')}), but is ${source.status}.`,
  );
}

function requestedSnapshot(
  cloud: BlockStorageCloud,
  caller: Caller,
  input: JsonObject,
  image: Image | undefined,
): Snapshot | undefined {
  const id = stringAt(input, 'snapshot_id') ?? bootSnapshotOf(image);
  if (id === undefined) return undefined;
  const snapshot = findOwned(cloud.blockStorage.snapshots, caller, id, missing('Snapshot'));
  if (snapshot.status === 'available') return snapshot;
  throw badRequest(
    `Invalid snapshot: Originating snapshot status must be one of 'available' values, but is ${snapshot.status}.`,
  );
}

/** The snapshot for which an image of the compute service stands, in place of data. */
function bootSnapshotOf(image: Image | undefined): string | undefined {
  const devices = JSON.parse(image?.properties.block_device_mapping ?? '[]') as JsonObject[];
  const boot = devices.find((device) => device.source_type === 'snapshot' && device.boot_index === 0);
  return boot && stringAt(boot, 'snapshot_id');
}

/** The volume that a snapshot was taken of. */
function originOf({ blockStorage }: BlockStorageCloud, snapshot: Snapshot | undefined): Volume | undefined {
  return snapshot && blockStorage.volumes.get(snapshot.volumeId);
}

function requireSizeForCopy(
  sizeGb: number,
  copied: { sizeGb: number } | undefined,
  what: string,
  original = what,
): void {
  if (copied === undefined || sizeGb >= copied.sizeGb) return;
  throw badRequest(
    `Invalid input received: Volume size '${sizeGb}'GB cannot be smaller than ${what} size ${copied.sizeGb}GB. They must be >= ${original} size.`,
  );
}

function requestedSize(input: JsonObject): number | undefined {
  const size = input.size;
  if (size === undefined || size === null) return undefined;
  const value = numberAt(input, 'size');
  if (value !== undefined && value >= 1) return value;
  const why =
    value === undefined
      ? `${pythonRepr(size)} is not of type 'integer', 'string'`
      : `${value} is less than the minimum of 1`;
  throw badRequest(`Invalid input for field/attribute size. Value: ${pythonRepr(size)}. ${why}`);
}

function requestedImage(cloud: BlockStorageCloud, caller: Caller, input: JsonObject): Image | undefined {
  const id = stringAt(input, 'imageRef') ?? stringAt(input, 'image_id');
  if (id === undefined) return undefined;
  const image = cloud.images.images.get(id);
  if (image === undefined || !canSeeImage(caller, image))
    throw badRequest('Invalid image identifier or unable to access requested image.');
  if (image.status !== 'active') throw badRequest(`Invalid input received: Image ${id} is not active.`);
  return image;
}

function requireSizeForImage(sizeGb: number, image: Image): void {
  if (sizeGb < image.minDiskGb)
    throw badRequest(
      `Invalid input received: Volume size ${sizeGb}GB cannot be smaller than the image minDisk size ${image.minDiskGb}GB.`,
    );
}

function requestedType(cloud: BlockStorageCloud, input: JsonObject): string | undefined {
  const wanted = stringAt(input, 'volume_type');
  return wanted === undefined ? undefined : findType(cloud, wanted);
}

/** The name of a type. */
export function findType(cloud: BlockStorageCloud, wanted: string): string {
  for (const type of cloud.blockStorage.types.values())
    if (type.id === wanted || type.name === wanted) return type.name;
  throw notFound(`Volume type with name ${wanted} could not be found.`);
}

/**
 * Takes a new volume through its states: creating, downloading (from an image), available. Stops when
 * the volume is deleted.
 */
function fill(cloud: BlockStorageCloud, volume: Volume, image: Image | undefined): void {
  if (image === undefined) {
    cloud.schedule.after(CREATE_MS, finishVolume, volume);
    return;
  }
  cloud.schedule.after(FROM_IMAGE_MS / 3, startDownload, volume, image);
}

export function finishVolume(cloud: BlockStorageCloud, volume: Volume): void {
  if (volume.status === 'creating') setStatus(cloud, volume, 'available');
}

export function startDownload(cloud: BlockStorageCloud, volume: Volume, image: Image): void {
  if (volume.status === 'creating') setStatus(cloud, volume, 'downloading');
  cloud.schedule.after((FROM_IMAGE_MS * 2) / 3, finishDownload, volume, image);
}

export function finishDownload(cloud: BlockStorageCloud, volume: Volume, image: Image): void {
  if (volume.status !== 'downloading') return;
  // The service notes the same itself, and fails to do so twice.
  if ('signature_verified' in image.properties) {
    setStatus(cloud, volume, 'error');
    return;
  }
  volume.imageMetadata = imageMetadata(image);
  volume.bootable = true;
  setStatus(cloud, volume, 'available');
}

function imageMetadata(image: Image): Record<string, string> {
  return {
    signature_verified: 'False',
    ...image.properties,
    image_id: image.id,
    image_name: image.name ?? '',
    checksum: image.checksum ?? '',
    container_format: image.containerFormat ?? '',
    disk_format: image.diskFormat ?? '',
    min_disk: String(image.minDiskGb),
    min_ram: String(image.minRamMb),
    size: String(image.sizeBytes),
  };
}

export function deleteVolume(cloud: BlockStorageCloud, volume: Volume): void {
  const hasSnapshots = [...cloud.blockStorage.snapshots.values()].some(
    ({ volumeId }) => volumeId === volume.id,
  );
  if (!DELETABLE_STATUSES.has(volume.status) || volume.attachments.length > 0 || hasSnapshots)
    throw badRequest(
      'Invalid volume: Volume status must be available or error or error_restoring or error_extending or error_managing and must not be migrating, attached, belong to a group, have snapshots, awaiting a transfer, or be disassociated from snapshots after volume transfer.',
    );
  removeVolume(cloud, volume);
}

/** Deletes a volume in any status: for force delete, and for volumes that are deleted with their server. */
export function removeVolume(cloud: BlockStorageCloud, volume: Volume): void {
  setStatus(cloud, volume, 'deleting');
  cloud.schedule.after(DELETE_MS, finishVolumeRemoval, volume.id);
}

export function finishVolumeRemoval(cloud: BlockStorageCloud, volumeId: string): void {
  if (cloud.settings.keepsDeletedVolumes) cloud.schedule.after(DELETE_MS, finishVolumeRemoval, volumeId);
  else cloud.blockStorage.volumes.delete(volumeId);
}

export function extendVolume(cloud: BlockStorageCloud, volume: Volume, newSizeGb: number | undefined): void {
  if (newSizeGb === undefined)
    throw badRequest("Invalid input for field/attribute os-extend. 'new_size' is a required property");
  if (volume.status !== 'available' && volume.status !== 'in-use')
    throw badRequest(
      `Invalid volume: Volume ${volume.id} status must be '{'status': 'available'}' to extend, currently ${volume.status}.`,
    );
  if (newSizeGb <= volume.sizeGb)
    throw badRequest(
      `Invalid input received: New size for extend must be greater than current size. (current: ${volume.sizeGb}, extended: ${newSizeGb}).`,
    );
  requireVolumeQuota(cloud.blockStorage, volume.projectId, { gigabytes: newSizeGb - volume.sizeGb });
  setStatus(cloud, volume, 'extending');
  cloud.schedule.after(EXTEND_MS, finishExtension, volume, newSizeGb);
}

export function finishExtension(cloud: BlockStorageCloud, volume: Volume, newSizeGb: number): void {
  if (volume.status !== 'extending') return;
  volume.sizeGb = newSizeGb;
  setStatus(cloud, volume, volume.attachments.length > 0 ? 'in-use' : 'available');
}

export function presentVolume(volume: Volume, base: string, detailed: boolean): object {
  return {
    id: volume.id,
    status: volume.status,
    size: volume.sizeGb,
    availability_zone: volume.zone,
    created_at: microseconds(volume.createdMs),
    updated_at: volume.updatedMs === null ? null : microseconds(volume.updatedMs),
    name: volume.name,
    description: volume.description,
    volume_type: volume.type,
    snapshot_id: volume.snapshotId,
    source_volid: volume.sourceVolumeId,
    metadata: volume.metadata,
    links: selfAndBookmark(base, `volumes/${volume.id}`),
    user_id: volume.userId,
    bootable: String(volume.bootable),
    encrypted: false,
    replication_status: null,
    consistencygroup_id: null,
    multiattach: false,
    attachments: volume.attachments.map((attachment) => ({
      id: volume.id,
      attachment_id: attachment.id,
      volume_id: volume.id,
      server_id: attachment.serverId,
      host_name: null,
      device: attachment.device,
      attached_at: microseconds(attachment.attachedMs),
    })),
    ...(detailed ? { 'os-vol-tenant-attr:tenant_id': volume.projectId } : {}),
    ...(detailed && volume.imageMetadata !== null ? { volume_image_metadata: volume.imageMetadata } : {}),
  };
}
