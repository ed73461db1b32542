import type { ServiceClient } from '../service.ts';
import { BlockStorageLimitsReader } from './limits.ts';
import { Volumes } from './volumes.ts';

export class BlockStorageClient {
  readonly volumes: Volumes;
  readonly limits: BlockStorageLimitsReader;

  constructor(blockStorage: ServiceClient) {
    this.volumes = new Volumes(blockStorage);
    this.limits = new BlockStorageLimitsReader(blockStorage);
  }
}
