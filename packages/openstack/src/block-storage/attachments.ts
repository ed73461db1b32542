import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';

/** A volume's tie to a server, as the block storage service keeps it: there from the reservation on. */
export interface StoredAttachmentRecord {
  id: string;
  /** `reserved`, `attaching`, `attached`, … */
  status: string;
  volume_id: string;
  /** The server's id; null for a host of the block storage service itself. */
  instance: string | null;
}

export class StoredAttachments {
  readonly #blockStorage: ServiceClient;

  constructor(blockStorage: ServiceClient) {
    this.#blockStorage = blockStorage;
  }

  listOf(volumeId: string): Promise<StoredAttachmentRecord[]> {
    return this.#blockStorage.list('attachments.list', '/attachments', 'attachments', {
      volume_id: volumeId,
    });
  }

  /** Frees the volume. Refused for as long as there is a server that has it. */
  remove(id: string): Promise<void> {
    return this.#blockStorage.remove('attachments.remove', path`/attachments/${id}`);
  }
}
