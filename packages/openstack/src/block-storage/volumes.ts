import type { ListPage } from '../pagination.ts';
import { path } from '../path.ts';
import type { PageQuery } from '../query.ts';
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
  /** A boolean, written as text. */
  bootable: string;
  encrypted: boolean;
  multiattach: boolean;
  metadata: Record<string, string>;
  attachments: VolumeAttachment[];
  /** Absent from the answer to a creation. */
  'os-vol-tenant-attr:tenant_id'?: string;
  /** Of the image it was made from, when it was. */
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

export type VolumeQuery = {
  /** The whole name. */
  name?: string;
  status?: string;
  /** For administrators: 1 lists all projects. */
  all_tenants?: 1;
  /** With `all_tenants`. */
  project_id?: string;
  /** A mapping as JSON: those with all of these pairs in their metadata. */
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

export class Volumes {
  readonly #blockStorage: ServiceClient;

  constructor(blockStorage: ServiceClient) {
    this.#blockStorage = blockStorage;
  }

  list(query?: VolumeQuery): Promise<VolumeRecord[]> {
    return this.#blockStorage.list('volumes.list', '/volumes/detail', 'volumes', query);
  }

  listPage(query: VolumeQuery & PageQuery): Promise<ListPage<VolumeRecord>> {
    return this.#blockStorage.page('volumes.listPage', '/volumes/detail', 'volumes', query);
  }

  /** Those of exactly this name. */
  async listByName(name: string, query?: VolumeQuery): Promise<VolumeRecord[]> {
    const volumes = await this.list({ ...query, name });
    return volumes.filter((volume) => volume.name === name);
  }

  async get(id: string): Promise<VolumeRecord> {
    const answer = await this.#blockStorage.get<{ volume: VolumeRecord }>(
      'volumes.get',
      path`/volumes/${id}`,
    );
    return answer.volume;
  }

  async create(volume: VolumeCreate): Promise<VolumeRecord> {
    const answer = await this.#blockStorage.post<{ volume: VolumeRecord }>('volumes.create', '/volumes', {
      volume,
    });
    return answer.volume;
  }

  remove(id: string): Promise<void> {
    return this.#blockStorage.remove('volumes.remove', path`/volumes/${id}`);
  }

  /** For administrators: whatever its state. */
  forceDelete(id: string): Promise<void> {
    return this.#blockStorage.quiet('POST', 'volumes.forceDelete', path`/volumes/${id}/action`, {
      body: { 'os-force_delete': {} },
      deletes: true,
    });
  }

  /** For administrators. */
  resetStatus(id: string, status: string): Promise<void> {
    return this.#action('volumes.resetStatus', id, { 'os-reset_status': { status } });
  }

  extend(id: string, sizeGb: number): Promise<void> {
    return this.#action('volumes.extend', id, { 'os-extend': { new_size: sizeGb } });
  }

  #action(operation: string, id: string, body: unknown): Promise<void> {
    return this.#blockStorage.act(operation, path`/volumes/${id}/action`, body);
  }
}
