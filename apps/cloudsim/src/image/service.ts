import { createHash } from 'node:crypto';
import { pageFormat } from '../http/error-formats.ts';
import type { Caller } from '../http/operation.ts';
import { type Call, created, noContent, ok, operation, type Reply } from '../http/operation.ts';
import { nextQuery, pageOf } from '../http/page.ts';
import type { Service } from '../http/service.ts';
import { newUuid } from '../ids.ts';
import { isObject, numberAt, textAt } from '../json.ts';
import { badRequest, forbidden, notFound } from '../refusal.ts';
import { seconds } from '../timestamps.ts';
import type { Image } from './state.ts';

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 1000;
const NOT_FILTERS = new Set(['limit', 'marker', 'sort', 'sort_key', 'sort_dir', 'member_status']);

export function seesImage(caller: Caller, image: Image): boolean {
  return caller.isAdmin || image.visibility !== 'private' || image.ownerId === caller.projectId;
}

function presentImage(image: Image): Record<string, unknown> {
  const path = `/v2/images/${image.id}`;
  return {
    ...image.properties,
    name: image.name,
    disk_format: image.diskFormat,
    container_format: image.containerFormat,
    visibility: image.visibility,
    size: image.sizeBytes,
    virtual_size: image.sizeBytes,
    status: image.status,
    checksum: image.checksum,
    protected: false,
    min_ram: image.minRamMb,
    min_disk: image.minDiskGb,
    owner: image.ownerId,
    os_hidden: false,
    os_hash_algo: 'sha512',
    os_hash_value: createHash('sha512').update(image.checksum).digest('hex'),
    id: image.id,
    created_at: seconds(image.createdMs),
    updated_at: seconds(image.createdMs),
    tags: [],
    self: path,
    file: `${path}/file`,
    schema: '/v2/schemas/image',
    stores: 'file',
  };
}

function listImages(call: Call): Reply {
  const { query } = call;
  const limitText = query.get('limit') ?? String(DEFAULT_LIMIT);
  if (!/^\d+$/.test(limitText)) throw badRequest('limit param must be an integer');
  const limit = Math.min(Number(limitText), MAX_LIMIT);
  const filters = [...query].filter(([key]) => !NOT_FILTERS.has(key));
  const rows = [...call.cloud.images.images.values()]
    .filter((image) => seesImage(call.caller, image))
    .reverse()
    .map(presentImage)
    .filter((row) => filters.every(([key, value]) => matches(row, key, value)));
  const { items, more } = pageOf(
    rows,
    (row) => String(row.id),
    query.get('marker'),
    limit,
    (marker) => badRequest(`No image found with ID ${marker}`),
  );
  const asked = query.toString();
  const body: Record<string, unknown> = {
    images: items,
    first: `/v2/images${asked === '' ? '' : `?${asked}`}`,
    schema: '/v2/schemas/images',
  };
  // Like the original, a full page announces another one, which may be empty.
  if (more || (items.length > 0 && items.length === limit))
    body.next = `/v2/images?${nextQuery(query, String(items.at(-1)?.id))}`;
  return ok(body);
}

function matches(row: Record<string, unknown>, key: string, value: string): boolean {
  const actual = String(row[key] ?? '');
  if (value.startsWith('in:')) return value.slice(3).split(',').includes(actual);
  return key === 'visibility' && value === 'all' ? true : actual === value;
}

function find(call: Call): Image {
  const image = call.cloud.images.images.get(call.params.id ?? '');
  if (image === undefined || !seesImage(call.caller, image))
    throw notFound(`No image found with ID ${call.params.id}`);
  return image;
}

/** Without data, which comes by an upload. Properties beyond the service's own are left out. */
function createImage(call: Call): Reply {
  const given = isObject(call.body) ? call.body : {};
  const image: Image = {
    id: newUuid(),
    name: textAt(given, 'name') ?? '',
    status: 'queued',
    visibility: textAt(given, 'visibility') ?? 'private',
    ownerId: call.caller.projectId,
    sizeBytes: 0,
    minDiskGb: numberAt(given, 'min_disk') ?? 0,
    minRamMb: numberAt(given, 'min_ram') ?? 0,
    diskFormat: textAt(given, 'disk_format') ?? 'raw',
    containerFormat: textAt(given, 'container_format') ?? 'bare',
    checksum: '',
    createdMs: call.cloud.clock.now(),
    properties: {},
  };
  call.cloud.images.images.set(image.id, image);
  return created(presentImage(image));
}

/** The data itself is not kept. */
function upload(call: Call): Reply {
  const image = find(call);
  const data = JSON.stringify(call.body ?? null);
  image.status = 'active';
  image.sizeBytes = data.length;
  image.checksum = createHash('md5').update(data).digest('hex');
  return noContent();
}

function deleteImage(call: Call): Reply {
  const image = find(call);
  if (!call.caller.isAdmin && image.ownerId !== call.caller.projectId)
    throw forbidden('You do not own this image');
  call.cloud.images.images.delete(image.id);
  return noContent();
}

export const imageService: Service = {
  name: 'image',
  prefix: '/image/v2',
  errors: pageFormat,
  malformed:
    'The server could not comply with the request since it is either malformed or otherwise incorrect.',
  requestIdHeaders: ['X-Openstack-Request-Id'],
  operations: [
    operation('images.list', 'GET /images', listImages),
    operation('images.get', 'GET /images/:id', (call) => ok(presentImage(find(call)))),
    operation('images.create', 'POST /images', createImage),
    operation('images.upload', 'PUT /images/:id/file', upload),
    operation('images.delete', 'DELETE /images/:id', deleteImage),
  ],
};
