import type { ServiceClient } from '../service.ts';
import { BlockStorageAttachments } from './attachments.ts';
import { BlockStorageLimitsReader } from './limits.ts';
import { Volumes } from './volumes.ts';

export * from './attachments.ts';
export * from './limits.ts';
export * from './volumes.ts';

export class BlockStorageClient {
  readonly volumes: Volumes;
  readonly attachments: BlockStorageAttachments;
  readonly limits: BlockStorageLimitsReader;

  constructor(blockStorage: ServiceClient) {
    this.volumes = new Volumes(blockStorage);
    this.attachments = new BlockStorageAttachments(blockStorage);
    this.limits = new BlockStorageLimitsReader(blockStorage);
  }
}
