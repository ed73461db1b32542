import { createHash } from 'node:crypto';
import { newUuid } from '../common/ids.ts';
import { isObject, type Json, numberAt, textAt } from '../common/json.ts';
import { badRequest, conflict, forbidden } from '../common/service-error.ts';
import type { Caller } from '../http/operation.ts';
import type { ImageCloud } from './cloud.ts';
import type { Image } from './state.ts';

const VISIBILITIES = ['public', 'private', 'shared', 'community'];
const ASKABLE = [...VISIBILITIES, 'all'];
/** What an image is made of; anything else that is given is a property. */
const OWN_FIELDS = new Set([
  'name',
  'visibility',
  'disk_format',
  'container_format',
  'min_disk',
  'min_ram',
  'protected',
  'tags',
]);

/** Administrators see all there is. There are no members here that an image could be shared with. */
export function seesImage(caller: Caller, { visibility, ownerId }: Image): boolean {
  return (
    caller.isAdmin || ownerId === caller.projectId || visibility === 'public' || visibility === 'community'
  );
}

/** Community images of others are listed only for who asks for them. */
export function isListed(caller: Caller, image: Image, asked: string | null): boolean {
  if (asked !== null && !ASKABLE.includes(asked)) throw badRequest(`Invalid visibility value: ${asked}`);
  if (!seesImage(caller, image)) return false;
  if (asked === 'all') return true;
  if (asked !== null) return image.visibility === asked;
  return image.visibility !== 'community' || image.ownerId === caller.projectId;
}

export function createImage(cloud: ImageCloud, caller: Caller, given: Json | undefined): Image {
  if (!isObject(given)) throw badRequest('Body must be an object');
  const visibility = textAt(given, 'visibility') ?? 'shared';
  if (!VISIBILITIES.includes(visibility)) throw badRequest(`Invalid visibility value: ${visibility}`);
  if (visibility === 'public' && !caller.isAdmin)
    throw forbidden('You are not authorized to complete publicize_image action.');
  const properties = Object.entries(given).flatMap(([name, value]) =>
    OWN_FIELDS.has(name) || typeof value !== 'string' ? [] : [[name, value]],
  );
  const image: Image = {
    id: newUuid(),
    name: textAt(given, 'name') ?? null,
    status: 'queued',
    visibility,
    ownerId: caller.projectId,
    sizeBytes: null,
    minDiskGb: numberAt(given, 'min_disk') ?? 0,
    minRamMb: numberAt(given, 'min_ram') ?? 0,
    diskFormat: textAt(given, 'disk_format') ?? null,
    containerFormat: textAt(given, 'container_format') ?? null,
    checksum: null,
    createdMs: cloud.clock.now(),
    properties: Object.fromEntries(properties),
  };
  cloud.images.images.set(image.id, image);
  return image;
}

/** Stores the data of an image, whose content is of no interest here. */
export function uploadImage(image: Image, data: string): void {
  if (image.status !== 'queued')
    throw conflict(`Image status transition from ${image.status} to saving is not allowed`);
  if (image.diskFormat === null || image.containerFormat === null)
    throw badRequest('Properties disk_format, container_format must be set prior to saving data.');
  image.status = 'active';
  image.sizeBytes = Buffer.byteLength(data);
  image.checksum = createHash('md5').update(data).digest('hex');
}
