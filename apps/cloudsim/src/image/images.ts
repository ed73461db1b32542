import { createHash } from 'node:crypto';
import { newUuid } from '../common/ids.ts';
import { isObject, type Json, numberAt, stringAt } from '../common/json.ts';
import { badRequest, conflict, forbidden } from '../common/service-error.ts';
import type { Caller } from '../http/operation.ts';
import { owns } from '../http/policy.ts';
import type { ImageCloud } from './cloud.ts';
import type { Image } from './state.ts';

const VISIBILITIES = ['public', 'private', 'shared', 'community'];
const VISIBILITY_FILTERS = [...VISIBILITIES, 'all'];
/** The standard fields of an image. All other fields of a request are properties. */
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

/** Administrators see all images. Image members are not simulated. */
export function canSeeImage(caller: Caller, { visibility, ownerId }: Image): boolean {
  return owns(caller, ownerId) || visibility === 'public' || visibility === 'community';
}

/** Community images of other projects are only listed on request. */
export function isListed(caller: Caller, image: Image, requested: string | null): boolean {
  if (requested !== null && !VISIBILITY_FILTERS.includes(requested))
    throw badRequest(`Invalid visibility value: ${requested}`);
  if (!canSeeImage(caller, image)) return false;
  if (requested === 'all') return true;
  if (requested !== null) return image.visibility === requested;
  return image.visibility !== 'community' || image.ownerId === caller.projectId;
}

export function createImage(cloud: ImageCloud, caller: Caller, input: Json | undefined): Image {
  if (!isObject(input)) throw badRequest('Body must be an object');
  const visibility = stringAt(input, 'visibility') ?? 'shared';
  if (!VISIBILITIES.includes(visibility)) throw badRequest(`Invalid visibility value: ${visibility}`);
  if (visibility === 'public' && !caller.isAdmin)
    throw forbidden('You are not authorized to complete publicize_image action.');
  const properties = Object.entries(input).flatMap(([name, value]) =>
    OWN_FIELDS.has(name) || typeof value !== 'string' ? [] : [[name, value]],
  );
  const image: Image = {
    id: newUuid(),
    name: stringAt(input, 'name') ?? null,
    status: 'queued',
    visibility,
    ownerId: caller.projectId,
    sizeBytes: null,
    minDiskGb: numberAt(input, 'min_disk') ?? 0,
    minRamMb: numberAt(input, 'min_ram') ?? 0,
    diskFormat: stringAt(input, 'disk_format') ?? null,
    containerFormat: stringAt(input, 'container_format') ?? null,
    checksum: null,
    createdMs: cloud.clock.now(),
    properties: Object.fromEntries(properties),
    tags: [],
  };
  cloud.images.images.set(image.id, image);
  return image;
}

/** Data of an image that another service uploads is on its way. */
export function beginUpload(image: Image): void {
  if (image.status === 'queued') image.status = 'saving';
}

/** Whether an upload has not ended. The service deletes the data of an image that was deleted meanwhile. */
export function isUnfinished({ status }: Image): boolean {
  return status === 'queued' || status === 'saving';
}

export function finishUpload(image: Image, sizeBytes: number): void {
  image.status = 'active';
  image.sizeBytes = sizeBytes;
  image.checksum = createHash('md5').update(image.id).digest('hex');
}

const PATCHED = new Map<string, (image: Image, value: Json) => void>([
  ['name', (image, value) => Object.assign(image, { name: String(value) })],
  ['min_disk', (image, value) => Object.assign(image, { minDiskGb: Number(value) })],
  ['min_ram', (image, value) => Object.assign(image, { minRamMb: Number(value) })],
  ['tags', (image, value) => Object.assign(image, { tags: Array.isArray(value) ? value.map(String) : [] })],
]);

/** Applies a JSON patch. Only `replace` of some fields and `remove` of properties are simulated. */
export function patchImage(image: Image, patch: Json | undefined): void {
  const changes = Array.isArray(patch) ? patch.filter(isObject) : [];
  if (changes.length === 0) throw badRequest('Request body must be a JSON array of operation objects.');
  for (const { op, path, value } of changes) {
    const field = String(path).slice(1);
    if (op === 'remove') {
      if (!(field in image.properties)) throw conflict(`Property ${field} does not exist.`);
      delete image.properties[field];
      continue;
    }
    const set = PATCHED.get(field);
    if (op !== 'replace' || set === undefined || value === undefined)
      throw badRequest(`Unable to apply the operation ${String(op)} on ${String(path)}`);
    set(image, value);
  }
}

/** Sets the size and checksum of the uploaded data, and activates the image. The data is not stored. */
export function uploadImage(image: Image, data: string): void {
  if (image.status !== 'queued')
    throw conflict(`Image status transition from ${image.status} to saving is not allowed`);
  if (image.diskFormat === null || image.containerFormat === null)
    throw badRequest('Properties disk_format, container_format must be set prior to saving data.');
  image.status = 'active';
  image.sizeBytes = Buffer.byteLength(data);
  image.checksum = createHash('md5').update(data).digest('hex');
}
