import { notFound } from '@gateway/core';
import { z } from 'zod';
import { nullIfNotFound } from '../errors/index.ts';
import type { ListPage } from '../pagination.ts';
import { flag, integerOr, integerOrNull, key, listOf, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf, RecordReader } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { type PageQuery, path } from '../url.ts';

/** The custom properties of an image are additional fields with string values. */
export const imageRecord = declareRecord('image', 'image', {
  id: key(),
  name: text(),
  status: text('unknown'),
  visibility: z.enum(['public', 'private', 'shared', 'community']).catch('private'),
  owner: textOrNull(),
  /** Bytes; null until data has been uploaded. */
  size: integerOrNull(),
  virtual_size: integerOrNull(),
  /** GiB. */
  min_disk: integerOr(0),
  /** MiB. */
  min_ram: integerOr(0),
  disk_format: text(),
  container_format: text(),
  checksum: textOrNull(),
  protected: flag(false),
  os_hidden: flag(false),
  created_at: text(),
  updated_at: text(),
  tags: listOf(key()),
  os_distro: text(),
  os_version: text(),
  os_type: text(),
  architecture: text(),
  /** How its disk is attached to a server that it rescues, such as `virtio` and `disk`. */
  hw_rescue_bus: textOrNull(),
  hw_rescue_device: textOrNull(),
  /** A note of the block storage service about the image of the volume from which it was made. */
  signature_verified: textOrNull(),
  /** JSON: the devices of the server of which the image was made; see `volumeSnapshotGb`. */
  block_device_mapping: textOrNull(),
});

export type ImageRecord = RecordOf<typeof imageRecord>;

const imageMember = new RecordReader('image_member', z.object({ status: text() }));

type ImageQuery = {
  name?: string;
  status?: string;
  visibility?: 'public' | 'private' | 'shared' | 'community' | 'all';
  owner?: string;
  tag?: string;
  /** False by default. */
  os_hidden?: boolean;
};

type ImageUpdate = Partial<Pick<ImageRecord, 'name' | 'min_disk' | 'min_ram' | 'tags'>>;

const JSON_PATCH = 'application/openstack-images-v2.1-json-patch';

/** The service's default is 25 items. The service lowers larger values to its own maximum. */
const PAGE_SIZE = 1000;

/** Whether an image is shared with a project takes a call for each: those beyond count as not shared. */
const MAX_MEMBERSHIPS = 50;

/**
 * The service shows all images to whoever has the administrator's role. Where the role does not count in the
 * project, images of other projects are not found that are neither public nor shared with the project.
 */
export class Images {
  readonly #image: ServiceClient;

  constructor(image: ServiceClient) {
    this.#image = image;
  }

  async list(query?: ImageQuery): Promise<ImageRecord[]> {
    return this.#usable(
      await this.#image.list('images.list', '/images', 'images', imageRecord, { limit: PAGE_SIZE, ...query }),
    );
  }

  async listPage(query: ImageQuery & PageQuery): Promise<ListPage<ImageRecord>> {
    const { hasMore, items } = await this.#image.page(
      'images.listPage',
      '/images',
      'images',
      imageRecord,
      query,
    );
    return { hasMore, items: await this.#usable(items) };
  }

  async get(id: string): Promise<ImageRecord> {
    const image = await this.#image.getRecord('images.get', path`/images/${id}`, null, imageRecord);
    if ((await this.#usable([image])).length === 0) throw notFound(`No image found with ID ${id}.`);
    return image;
  }

  /** @param removed custom properties that the image has: the service refuses to remove one twice */
  update(id: string, changes: ImageUpdate, removed: readonly string[] = []): Promise<ImageRecord> {
    const body = [
      ...Object.entries(changes).map(([field, value]) => ({ op: 'replace', path: `/${field}`, value })),
      ...removed.map((property) => ({ op: 'remove', path: `/${property}` })),
    ];
    const options = { body, contentType: JSON_PATCH, idempotent: removed.length === 0 };
    return this.#image.sendRecord('PATCH', 'images.update', path`/images/${id}`, null, imageRecord, options);
  }

  async #usable(images: ImageRecord[]): Promise<ImageRecord[]> {
    const projectId = await this.#image.limitedTo();
    if (projectId === null) return images;
    const maybeShared = images
      .filter(({ owner, visibility }) => owner !== projectId && visibility === 'shared')
      .slice(0, MAX_MEMBERSHIPS);
    const areShared = await Promise.all(maybeShared.map(({ id }) => this.#isSharedWith(id, projectId)));
    const shared = new Set(maybeShared.filter((_, at) => areShared[at]));
    return images.filter(
      (image) =>
        image.owner === projectId || ['public', 'community'].includes(image.visibility) || shared.has(image),
    );
  }

  /** Images are `shared` by default, with no project until their owner names one, which then accepts them. */
  async #isSharedWith(id: string, projectId: string): Promise<boolean> {
    const url = path`/images/${id}/members/${projectId}`;
    const member = await nullIfNotFound(this.#image.getRecord('images.getMember', url, null, imageMember));
    return member?.status === 'accepted';
  }

  /** In any state, also while data is uploaded. The service refuses it for a protected image. */
  remove(id: string): Promise<void> {
    return this.#image.remove('images.remove', path`/images/${id}`);
  }
}
