import type { ServiceClient } from '../service.ts';
import { StoredAttachments } from './attachments.ts';
import { BlockStorageLimitsReader } from './limits.ts';
import { Volumes } from './volumes.ts';

export class BlockStorageClient {
  readonly volumes: Volumes;
  readonly attachments: StoredAttachments;
  readonly limits: BlockStorageLimitsReader;

  constructor(blockStorage: ServiceClient) {
    this.volumes = new Volumes(blockStorage);
    this.attachments = new StoredAttachments(blockStorage);
    this.limits = new BlockStorageLimitsReader(blockStorage);
  }
}
