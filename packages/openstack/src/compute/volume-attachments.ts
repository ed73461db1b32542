import { flag, key, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';

const volumeAttachmentRecord = declareRecord('compute', 'volume_attachment', {
  volumeId: key(),
  serverId: text(),
  device: textOrNull(),
  tag: textOrNull(),
  /** Needs microversion 2.79. */
  delete_on_termination: flag(false),
});

export type VolumeAttachmentRecord = RecordOf<typeof volumeAttachmentRecord>;

interface VolumeAttachmentCreate {
  volumeId: string;
  device?: string;
  tag?: string;
  /** Needs microversion 2.79. */
  delete_on_termination?: boolean;
}

export class VolumeAttachments {
  readonly #compute: ServiceClient;

  constructor(compute: ServiceClient) {
    this.#compute = compute;
  }

  list(serverId: string): Promise<VolumeAttachmentRecord[]> {
    return this.#compute.list(
      'volumeAttachments.list',
      path`/servers/${serverId}/os-volume_attachments`,
      'volumeAttachments',
      volumeAttachmentRecord,
    );
  }

  attach(serverId: string, volumeAttachment: VolumeAttachmentCreate): Promise<VolumeAttachmentRecord> {
    return this.#compute.postRecord(
      'volumeAttachments.attach',
      path`/servers/${serverId}/os-volume_attachments`,
      'volumeAttachment',
      volumeAttachmentRecord,
      { volumeAttachment },
    );
  }

  /**
   * Returns when the service has accepted the request. The volume is detached when it is `available` again.
   */
  detach(serverId: string, volumeId: string): Promise<void> {
    return this.#compute.remove(
      'volumeAttachments.detach',
      path`/servers/${serverId}/os-volume_attachments/${volumeId}`,
    );
  }
}
