import { z } from 'zod';
import { nullIfNotFound } from '../errors/index.ts';
import { flag, key, mapOf, text } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import { answeredValues, requireTaken } from '../require-taken.ts';
import type { ServiceClient } from '../service.ts';
import { namePath, path } from '../url.ts';

const volumeTypeRecord = declareRecord('blockStorage', 'volume_type', {
  id: key(),
  name: text(),
  description: text(),
  is_public: flag(true),
  /** For administrators. */
  extra_specs: mapOf(z.string()),
});

export type VolumeTypeRecord = RecordOf<typeof volumeTypeRecord>;

/** A project that may use a private type. */
const volumeTypeAccessRecord = declareRecord('blockStorage', 'volume_type_access', {
  volume_type_id: text(),
  project_id: key(),
});

export type VolumeTypeAccessRecord = RecordOf<typeof volumeTypeAccessRecord>;

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
    return this.#blockStorage.list('volumeTypes.list', '/types', 'volume_types', volumeTypeRecord);
  }

  /** Also private ones; for administrators. */
  listAll(): Promise<VolumeTypeRecord[]> {
    const query = { is_public: 'None' };
    return this.#blockStorage.list('volumeTypes.list', '/types', 'volume_types', volumeTypeRecord, query);
  }

  get(id: string): Promise<VolumeTypeRecord> {
    const url = path`/types/${id}`;
    return this.#blockStorage.getRecord('volumeTypes.get', url, 'volume_type', volumeTypeRecord);
  }

  create(volume_type: VolumeTypeCreate): Promise<VolumeTypeRecord> {
    const body = { volume_type };
    return this.#blockStorage.postRecord(
      'volumeTypes.create',
      '/types',
      'volume_type',
      volumeTypeRecord,
      body,
    );
  }

  update(id: string, volume_type: VolumeTypeUpdate): Promise<VolumeTypeRecord> {
    const url = path`/types/${id}`;
    const options = { body: { volume_type } };
    return this.#blockStorage.putRecord('volumeTypes.update', url, 'volume_type', volumeTypeRecord, options);
  }

  /** Adds extra specs, or replaces those with the same key. Throws a 400 for a type that volumes have. */
  async setExtraSpecs(id: string, specs: Record<string, string>): Promise<void> {
    const url = path`/types/${id}/extra_specs`;
    const body = { extra_specs: specs };
    const taken = await this.#blockStorage.postRecord(
      'volumeTypes.setExtraSpecs',
      url,
      'extra_specs',
      answeredValues,
      body,
    );
    requireTaken('blockStorage', specs, taken);
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
    return this.#blockStorage.list(
      'volumeTypes.listAccess',
      url,
      'volume_type_access',
      volumeTypeAccessRecord,
    );
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
      this.#blockStorage.getRecord(
        'volumeTypes.getDefault',
        '/types/default',
        'volume_type',
        volumeTypeRecord,
      ),
    );
  }
}
