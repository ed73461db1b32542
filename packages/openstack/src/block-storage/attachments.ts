import { idOrNull, key, text } from '../records/fields.ts';
import { readWholeLists } from '../records/odd-records.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';

/** An attachment in the records of the block storage service. It exists as soon as the volume is reserved. */
const attachmentRecord = declareRecord('blockStorage', 'attachment', {
  id: key(),
  /** `reserved`, `attaching`, `attached`, … */
  status: text('unknown'),
  volume_id: text(),
  /** The server's id; null for an attachment to a host of the block storage service. */
  instance: idOrNull(),
});

export type BlockStorageAttachmentRecord = RecordOf<typeof attachmentRecord>;

export class BlockStorageAttachments {
  readonly #blockStorage: ServiceClient;

  constructor(blockStorage: ServiceClient) {
    this.#blockStorage = blockStorage;
  }

  /** @throws 502 if not all of them can be read: the volume would look unused */
  listByVolume(volumeId: string): Promise<BlockStorageAttachmentRecord[]> {
    const query = { volume_id: volumeId };
    return readWholeLists(() =>
      this.#blockStorage.list('attachments.list', '/attachments', 'attachments', attachmentRecord, query),
    );
  }

  /** Detaches the volume. Refused while a server uses the attachment. */
  remove(id: string): Promise<void> {
    return this.#blockStorage.remove('attachments.remove', path`/attachments/${id}`);
  }
}
