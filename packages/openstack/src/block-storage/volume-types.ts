import { nullIfNotFound } from '../errors/index.ts';
import { namePath, path } from '../path.ts';
import { requireTaken } from '../require-taken.ts';
import type { ServiceClient } from '../service.ts';

export interface VolumeTypeRecord {
  id: string;
  name: string;
  description: string | null;
  is_public: boolean;
  /** For administrators. */
  extra_specs?: Record<string, string>;
}

/** A project that may use a private type. */
export interface VolumeTypeAccessRecord {
  volume_type_id: string;
  project_id: string;
}

interface VolumeTypeUpdate {
  name?: string;
  description?: string;
  is_public?: boolean;
}

interface VolumeTypeCreate {
  name: string;
  description?: string;
  'os-volume-type-access:is_public': boolean;
  extra_specs: Record<string, string>;
}

export class VolumeTypes {
  readonly #blockStorage: ServiceClient;

  constructor(blockStorage: ServiceClient) {
    this.#blockStorage = blockStorage;
  }

  /** Public types, and those that the project may use. */
  list(): Promise<VolumeTypeRecord[]> {
    return this.#blockStorage.list('volumeTypes.list', '/types', 'volume_types');
  }

  /** Also private ones; for administrators. */
  listAll(): Promise<VolumeTypeRecord[]> {
    const query = { is_public: 'None' };
    return this.#blockStorage.list('volumeTypes.list', '/types', 'volume_types', query);
  }

  get(id: string): Promise<VolumeTypeRecord> {
    return this.#blockStorage.getRecord('volumeTypes.get', path`/types/${id}`, 'volume_type');
  }

  create(volume_type: VolumeTypeCreate): Promise<VolumeTypeRecord> {
    return this.#blockStorage.postRecord('volumeTypes.create', '/types', 'volume_type', { volume_type });
  }

  update(id: string, volume_type: VolumeTypeUpdate): Promise<VolumeTypeRecord> {
    const options = { body: { volume_type } };
    return this.#blockStorage.putRecord('volumeTypes.update', path`/types/${id}`, 'volume_type', options);
  }

  /** Adds extra specs, or replaces those with the same key. Throws a 400 for a type that volumes have. */
  async setExtraSpecs(id: string, specs: Record<string, string>): Promise<void> {
    const url = path`/types/${id}/extra_specs`;
    const body = { extra_specs: specs };
    const taken = await this.#blockStorage.postRecord<object>(
      'volumeTypes.setExtraSpecs',
      url,
      'extra_specs',
      body,
    );
    requireTaken('blockStorage', specs, { ...taken });
  }

  /** Throws a 404 if the type has no such extra spec, and a 400 for a type that volumes have. */
  removeExtraSpec(id: string, key: string): Promise<void> {
    const url = path`/types/${id}` + namePath`/extra_specs/${key}`;
    return this.#blockStorage.remove('volumeTypes.removeExtraSpec', url);
  }

  /** Throws a 400 for a type that volumes have, and for the default type. */
  remove(id: string): Promise<void> {
    return this.#blockStorage.remove('volumeTypes.remove', path`/types/${id}`);
  }

  /** The projects that may use a private type. Throws a 404 for a public type. */
  listAccess(id: string): Promise<VolumeTypeAccessRecord[]> {
    const url = path`/types/${id}/os-volume-type-access`;
    return this.#blockStorage.list('volumeTypes.listAccess', url, 'volume_type_access');
  }

  /** Throws a 400 for a public type, and a 409 for a project that has access. */
  addAccess(id: string, project: string): Promise<void> {
    const body = { addProjectAccess: { project } };
    return this.#blockStorage.postVoid('volumeTypes.addAccess', path`/types/${id}/action`, body);
  }

  /** Throws a 400 for a public type, and a 404 if the project has no access. */
  removeAccess(id: string, project: string): Promise<void> {
    const body = { removeProjectAccess: { project } };
    return this.#blockStorage.postVoid('volumeTypes.removeAccess', path`/types/${id}/action`, body);
  }

  /** The type of the project's volumes that name none; null if the cloud has no such type. */
  getDefault(): Promise<VolumeTypeRecord | null> {
    return nullIfNotFound(
      this.#blockStorage.getRecord<VolumeTypeRecord>(
        'volumeTypes.getDefault',
        '/types/default',
        'volume_type',
      ),
    );
  }
}
