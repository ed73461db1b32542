import { conflict, type GatewayError, invalidInput } from '@gateway/core';
import type { Images } from '../image/images.ts';
import { smallestVolumeGb } from '../image/smallest-volume-gb.ts';
import { type Owned, readNamed, readOwnSnapshot, readOwnVolume } from './read-own.ts';
import type { SnapshotRecord } from './snapshots.ts';
import type { VolumeCreate, VolumeRecord } from './volumes.ts';

/** A volume as users request it, with one source at most. Null is absent. Sizes in GiB. */
export interface RequestedVolume {
  name: string;
  description: string | null;
  /** Null for the size of the source. */
  sizeGb: number | null;
  imageId: string | null;
  snapshotId: string | null;
  sourceVolumeId: string | null;
  /** Id or name. */
  volumeType: string | null;
  availabilityZone: string | null;
}

interface SourceReaders {
  readonly blockStorage: {
    readonly snapshots: Owned<SnapshotRecord>;
    readonly volumes: Owned<VolumeRecord>;
  };
  readonly image: { readonly images: Pick<Images, 'get'> };
}

/** What a volume is filled from. */
interface Source {
  request: Pick<VolumeCreate, 'imageRef' | 'snapshot_id' | 'source_volid'>;
  smallestGb: number;
  /** The source as the subject of a sentence. */
  title: string;
}

/**
 * Checks the source of a volume, and returns the request for the block storage service.
 *
 * @throws 404 for a source that is not in the project, 409 for one in a state that does not allow it, 400 for
 * an image that is not active and for a size that is too small
 */
export async function planVolume(
  client: SourceReaders,
  projectId: string,
  requested: RequestedVolume,
): Promise<VolumeCreate & { name: string }> {
  const { availabilityZone, description, name, volumeType } = requested;
  const source = await readSource(client, projectId, requested);
  return {
    name,
    size: sizeOf(requested, source),
    ...(description !== null && { description }),
    ...(volumeType !== null && { volume_type: volumeType }),
    ...(availabilityZone !== null && { availability_zone: availabilityZone }),
    ...source?.request,
  };
}

function sizeOf({ sizeGb }: RequestedVolume, source: Source | null): number {
  if (sizeGb === null && source === null) throw tooSmall('The volume needs a size.', 'is required');
  const smallestGb = source?.smallestGb ?? 1;
  if (sizeGb === null) return smallestGb;
  if (sizeGb >= smallestGb) return sizeGb;
  throw tooSmall(
    `${source?.title} needs a volume of at least ${smallestGb} GB.`,
    `must be at least ${smallestGb}`,
  );
}

function tooSmall(detail: string, message: string): GatewayError {
  return invalidInput(detail, { errors: [{ field: 'body.size_gb', message }] });
}

async function readSource(
  { blockStorage, image }: SourceReaders,
  projectId: string,
  { imageId, snapshotId, sourceVolumeId }: RequestedVolume,
): Promise<Source | null> {
  if (imageId !== null) {
    const record = await readNamed(image.images.get(imageId), `Image ${imageId}`);
    requireActive(record.status);
    return { request: { imageRef: record.id }, smallestGb: smallestVolumeGb(record), title: 'The image' };
  }
  if (snapshotId !== null) {
    const record = await readOwnSnapshot(blockStorage, projectId, snapshotId);
    requireState(`Snapshot ${snapshotId}`, record.status, ['available']);
    return {
      request: { snapshot_id: record.id },
      smallestGb: Math.max(record.size, 1),
      title: 'The snapshot',
    };
  }
  if (sourceVolumeId !== null) {
    const record = await readOwnVolume(blockStorage, projectId, sourceVolumeId);
    requireState(`Volume ${sourceVolumeId}`, record.status, ['available', 'in-use']);
    return {
      request: { source_volid: record.id },
      smallestGb: Math.max(record.size, 1),
      title: 'The source volume',
    };
  }
  return null;
}

function requireState(what: string, status: string, allowed: readonly string[]): void {
  if (allowed.includes(status)) return;
  throw conflict(
    'wrong_state',
    `${what} cannot be copied: its status is ${status}, not ${allowed.join(' or ')}.`,
  );
}

/** As in the creation of an instance. */
function requireActive(status: string): void {
  if (status === 'active') return;
  throw invalidInput(`The image is not ready to be copied: its status is ${status}.`, {
    errors: [{ field: 'body.image_id', message: 'must be an active image' }],
  });
}
