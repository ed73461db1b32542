import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';

/** An attachment in the records of the block storage service. It exists as soon as the volume is reserved. */
export interface BlockStorageAttachmentRecord {
  id: string;
  /** `reserved`, `attaching`, `attached`, … */
  status: string;
  volume_id: string;
  /** The server's id; null for an attachment to a host of the block storage service. */
  instance: string | null;
}

export class BlockStorageAttachments {
  readonly #blockStorage: ServiceClient;

  constructor(blockStorage: ServiceClient) {
    this.#blockStorage = blockStorage;
  }

  listByVolume(volumeId: string): Promise<BlockStorageAttachmentRecord[]> {
    return this.#blockStorage.list('attachments.list', '/attachments', 'attachments', {
      volume_id: volumeId,
    });
  }

  /** Detaches the volume. Refused while a server uses the attachment. */
  remove(id: string): Promise<void> {
    return this.#blockStorage.remove('attachments.remove', path`/attachments/${id}`);
  }
}
