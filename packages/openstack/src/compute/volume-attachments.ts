import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';

export interface VolumeAttachmentRecord {
  /** The volume's id. */
  id: string;
  volumeId: string;
  serverId: string;
  device: string | null;
  tag: string | null;
  /** Needs microversion 2.79. */
  delete_on_termination: boolean;
}

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
    );
  }

  attach(serverId: string, volumeAttachment: VolumeAttachmentCreate): Promise<VolumeAttachmentRecord> {
    return this.#compute.postRecord<VolumeAttachmentRecord>(
      'volumeAttachments.attach',
      path`/servers/${serverId}/os-volume_attachments`,
      'volumeAttachment',
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
