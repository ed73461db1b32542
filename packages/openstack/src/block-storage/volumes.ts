import { BasicCollection } from '../collection.ts';
import type { ServiceClient } from '../service.ts';

export interface VolumeRecord {
  id: string;
  /** `creating`, `available`, `in-use`, `error`, … */
  status: string;
  /** GiB. */
  size: number;
  name: string | null;
  description: string | null;
  availability_zone: string | null;
  created_at: string;
  updated_at: string | null;
  volume_type: string | null;
  snapshot_id: string | null;
  source_volid: string | null;
  user_id: string;
  /** `true` or `false`, as a string. */
  bootable: string;
  encrypted: boolean;
  multiattach: boolean;
  metadata: Record<string, string>;
  attachments: VolumeAttachment[];
  /** Absent from the response to a create request. */
  'os-vol-tenant-attr:tenant_id'?: string;
  /** Metadata of the image from which the volume was created. */
  volume_image_metadata?: Record<string, string>;
}

export interface VolumeAttachment {
  /** The volume's id. */
  id: string;
  volume_id: string;
  attachment_id: string;
  server_id: string;
  host_name: string | null;
  device: string;
  attached_at: string;
}

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

type VolumeUpdate = Pick<VolumeCreate, 'name' | 'description'>;

export class Volumes extends BasicCollection<VolumeRecord, VolumeCreate, VolumeQuery> {
  constructor(blockStorage: ServiceClient) {
    super(blockStorage, {
      plural: 'volumes',
      singular: 'volume',
      noun: 'volumes',
      path: '/volumes',
      listPath: '/volumes/detail',
    });
  }

  /** Volumes with exactly this name. */
  async listByName(name: string, query?: VolumeQuery): Promise<VolumeRecord[]> {
    const volumes = await this.list({ ...query, name });
    return volumes.filter((volume) => volume.name === name);
  }

  update(id: string, changes: VolumeUpdate): Promise<VolumeRecord> {
    return this.service.putRecord('volumes.update', this.pathOf(id), 'volume', {
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
    const { image_id } = await this.service.postRecord<{ image_id: string }>(
      'volumes.upload',
      `${this.pathOf(id)}/action`,
      action,
      { [action]: upload },
    );
    return image_id;
  }

  #action(operation: string, id: string, body: unknown): Promise<void> {
    return this.service.postVoid(operation, `${this.pathOf(id)}/action`, body);
  }
}
