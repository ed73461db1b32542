import { nullIfNotFound } from '../errors/index.ts';
import type { ServiceClient } from '../service.ts';

export interface VolumeTypeRecord {
  id: string;
  name: string;
  description: string | null;
  is_public: boolean;
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
