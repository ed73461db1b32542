import { z } from 'zod';
import { BasicCollection } from '../collection.ts';
import {
  flag,
  idOrNull,
  integerOr,
  key,
  listOrNull,
  mapOf,
  mapOrNull,
  part,
  text,
  textOrNull,
} from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';

/**
 * Has no key, because a volume that has lost an attachment here would look unused. The id of the server is
 * null for an attachment to a host, whose name only administrators see.
 */
const attachment = part({
  attachment_id: text(),
  server_id: idOrNull(),
  host_name: idOrNull(),
  device: text(),
});

export const volumeRecord = declareRecord('blockStorage', 'volume', {
  id: key(),
  /** `creating`, `available`, `in-use`, `error`, … */
  status: text('unknown'),
  /** GiB. */
  size: integerOr(0),
  name: text(),
  description: text(),
  availability_zone: text(),
  created_at: text(),
  updated_at: textOrNull(),
  volume_type: text(),
  user_id: text(),
  /** `true` or `false`, as a string. */
  bootable: text(),
  encrypted: flag(false),
  multiattach: flag(false),
  /** Null if the service does not say it: then the volume may have any mark. */
  metadata: mapOrNull(z.string()),
  /** Null if the service does not say it: see `attachmentsOf`. */
  attachments: listOrNull(attachment),
  /** Absent from the response to a create request. A policy can hide it from members. */
  'os-vol-tenant-attr:tenant_id': idOrNull(),
  /** Metadata of the image from which the volume was created. */
  volume_image_metadata: mapOf(z.string()),
});

export type VolumeRecord = RecordOf<typeof volumeRecord>;
export type VolumeAttachment = z.output<typeof attachment>;

type VolumeQuery = {
  /** Exact match. */
  name?: string;
  status?: string;
  /** For administrators: 1 lists all projects. */
  all_tenants?: 1;
  /** With `all_tenants`. */
  project_id?: string;
  /** A JSON object: matches volumes whose metadata contains all its pairs. */
  metadata?: string;
};

export interface VolumeCreate {
  /** GiB. */
  size: number;
  name?: string;
  description?: string;
  imageRef?: string;
  snapshot_id?: string;
  source_volid?: string;
  backup_id?: string;
  volume_type?: string;
  availability_zone?: string;
  metadata?: Record<string, string>;
}

export interface VolumeUpload {
  image_name: string;
  /** Volumes that are encrypted can only be uploaded as `raw` and `bare`. */
  disk_format: 'raw' | 'qcow2';
  container_format: 'bare';
  visibility: 'private';
}

const volumeUpload = declareRecord('blockStorage', 'volume_upload', { image_id: key() });

type VolumeUpdate = Pick<VolumeCreate, 'name' | 'description'>;

export class Volumes extends BasicCollection<VolumeRecord, VolumeCreate, VolumeQuery> {
  constructor(blockStorage: ServiceClient) {
    super(blockStorage, {
      record: volumeRecord,
      plural: 'volumes',
      singular: 'volume',
      noun: 'volumes',
      path: '/volumes',
      listPath: '/volumes/detail',
    });
  }

  /** Whether a volume that was read by its id is one of the project. */
  belongsTo(projectId: string, volume: VolumeRecord): Promise<boolean> {
    return this.service.isOfProject(volume['os-vol-tenant-attr:tenant_id'], projectId);
  }

  /** Volumes with exactly this name. */
  async listByName(name: string, query?: VolumeQuery): Promise<VolumeRecord[]> {
    const volumes = await this.list({ ...query, name });
    return volumes.filter((volume) => volume.name === name);
  }

  update(id: string, changes: VolumeUpdate): Promise<VolumeRecord> {
    return this.service.putRecord('volumes.update', this.pathOf(id), 'volume', volumeRecord, {
      body: { volume: changes },
    });
  }

  /** Adds metadata. With an empty object it only checks that the caller may change the volume. */
  addMetadata(id: string, metadata: Record<string, string>): Promise<void> {
    return this.service.postVoid('volumes.addMetadata', `${this.pathOf(id)}/metadata`, { metadata });
  }

  /** Deletes a volume in any state; for administrators. */
  forceDelete(id: string): Promise<void> {
    return this.service.requestVoid('POST', 'volumes.forceDelete', `${this.pathOf(id)}/action`, {
      body: { 'os-force_delete': {} },
      isDelete: true,
    });
  }

  /** For administrators. */
  resetStatus(id: string, status: string): Promise<void> {
    return this.#action('volumes.resetStatus', id, { 'os-reset_status': { status } });
  }

  extend(id: string, sizeGb: number): Promise<void> {
    return this.#action('volumes.extend', id, { 'os-extend': { new_size: sizeGb } });
  }

  /** @param typeId a type, by id; a name that is also an id would be ambiguous */
  retype(id: string, typeId: string, policy: 'never' | 'on-demand'): Promise<void> {
    const body = { 'os-retype': { new_type: typeId, migration_policy: policy } };
    return this.#action('volumes.retype', id, body);
  }

  /**
   * Copies an available volume into a new image, with the custom properties of the image that the volume was
   * created from. Returns the image's id at once. The volume is `uploading` until the image is `active`, or
   * has been removed after a failure.
   */
  async upload(id: string, upload: VolumeUpload): Promise<string> {
    const action = 'os-volume_upload_image';
    const { image_id } = await this.service.postRecord(
      'volumes.upload',
      `${this.pathOf(id)}/action`,
      action,
      volumeUpload,
      { [action]: upload },
    );
    return image_id;
  }

  #action(operation: string, id: string, body: unknown): Promise<void> {
    return this.service.postVoid(operation, `${this.pathOf(id)}/action`, body);
  }
}
