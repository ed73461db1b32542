import { createHash } from 'node:crypto';
import { badRequest, forbidden, notFound, ServiceError } from '../common/service-error.ts';
import { seconds } from '../common/timestamps.ts';
import { webobFormat } from '../http/error-formats.ts';
import { created, noContent, ok, operation, type Reply } from '../http/operation.ts';
import { nextQuery, pageOf } from '../http/page.ts';
import { owns } from '../http/policy.ts';
import type { Service } from '../http/service.ts';
import type { ImageCall, ImageCloud } from './cloud.ts';
import { canSeeImage, createImage, isListed, patchImage, uploadImage } from './images.ts';
import type { Image } from './state.ts';

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 1000;
const JSON_PATCH = /^application\/openstack-images-v2\.\d-json-patch$/;
const NOT_FILTERS = new Set([
  'limit',
  'marker',
  'sort',
  'sort_key',
  'sort_dir',
  'member_status',
  'visibility',
]);

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
    os_hash_algo: image.checksum === null ? null : 'sha512',
    os_hash_value: image.checksum === null ? null : createHash('sha512').update(image.checksum).digest('hex'),
    id: image.id,
    created_at: seconds(image.createdMs),
    updated_at: seconds(image.createdMs),
    tags: image.tags,
    self: path,
    file: `${path}/file`,
    schema: '/v2/schemas/image',
    stores: 'file',
  };
}

function listImages(call: ImageCall): Reply {
  const { query } = call;
  const limitText = query.get('limit') ?? String(DEFAULT_LIMIT);
  if (!/^\d+$/.test(limitText)) throw badRequest('limit param must be an integer');
  const limit = Math.min(Number(limitText), MAX_LIMIT);
  const filters = [...query].filter(([key]) => !NOT_FILTERS.has(key));
  const rows = [...call.cloud.images.images.values()]
    .filter((image) => isListed(call.caller, image, query.get('visibility')))
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
  const requested = query.toString();
  const body: Record<string, unknown> = {
    images: items,
    first: `/v2/images${requested === '' ? '' : `?${requested}`}`,
    schema: '/v2/schemas/images',
  };
  // Like the real service, a full page links to a next page, which may be empty.
  if (more || (items.length > 0 && items.length === limit))
    body.next = `/v2/images?${nextQuery(query, String(items.at(-1)?.id))}`;
  return ok(body);
}

function matches(row: Record<string, unknown>, key: string, value: string): boolean {
  if (key === 'tag') return Array.isArray(row.tags) && row.tags.includes(value);
  const actual = String(row[key] ?? '');
  if (value.startsWith('in:')) return value.slice(3).split(',').includes(actual);
  return actual === value;
}

function find(call: ImageCall): Image {
  const image = call.cloud.images.images.get(call.params.id ?? '');
  if (image === undefined || !canSeeImage(call.caller, image))
    throw notFound(`No image found with ID ${call.params.id}`);
  return image;
}

/** Images have no members here. */
function getMember(call: ImageCall): Reply {
  const { id } = find(call);
  throw notFound(`${call.params.member} not found in the member list of the image ${id}.`);
}

function findOwn(call: ImageCall): Image {
  const image = find(call);
  if (!owns(call.caller, image.ownerId)) throw forbidden('You do not own this image');
  return image;
}

function upload(call: ImageCall): Reply {
  uploadImage(findOwn(call), call.rawBody);
  return noContent();
}

function update(call: ImageCall): Reply {
  if (!JSON_PATCH.test(call.header('content-type') ?? ''))
    throw new ServiceError(415, 'Unsupported Content-Type in request.');
  const image = findOwn(call);
  patchImage(image, call.body);
  return ok(presentImage(image));
}

function deleteImage(call: ImageCall): Reply {
  const image = findOwn(call);
  call.cloud.images.images.delete(image.id);
  return noContent();
}

export const imageService: Service<ImageCloud> = {
  name: 'image',
  prefix: '/image/v2',
  errors: webobFormat,
  malformed:
    'The server could not comply with the request since it is either malformed or otherwise incorrect.',
  requestIdHeaders: ['X-Openstack-Request-Id'],
  operations: [
    operation('images.list', 'GET /images', listImages),
    operation('images.create', 'POST /images', (call) =>
      created(presentImage(createImage(call.cloud, call.caller, call.body))),
    ),
    operation('images.get', 'GET /images/:id', (call) => ok(presentImage(find(call)))),
    operation('members.get', 'GET /images/:id/members/:member', getMember),
    operation('images.update', 'PATCH /images/:id', update),
    operation('images.upload', 'PUT /images/:id/file', upload, { hasRawBody: true }),
    operation('images.delete', 'DELETE /images/:id', deleteImage),
  ],
};
