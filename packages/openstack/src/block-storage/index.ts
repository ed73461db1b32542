import { AvailabilityZones } from '../availability-zones.ts';
import type { ProjectPaths } from '../only-project.ts';
import type { ServiceClient } from '../service.ts';
import { BlockStorageAttachments } from './attachments.ts';
import { Backups } from './backups.ts';
import { BlockStorageLimitsReader } from './limits.ts';
import { BlockStorageQuotasClient } from './quotas.ts';
import { BlockStorageServices } from './services.ts';
import { Snapshots } from './snapshots.ts';
import { Transfers } from './transfers.ts';
import { VolumeTypes } from './volume-types.ts';
import { Volumes } from './volumes.ts';

export * from './attachments.ts';
export * from './attachments-of.ts';
export * from './backups.ts';
export * from './limits.ts';
export * from './plan-volume.ts';
export * from './quotas.ts';
export { readOwnBackup, readOwnVolume } from './read-own.ts';
export * from './services.ts';
export * from './snapshots.ts';
export * from './transfers.ts';
export * from './type-of-backup.ts';
export * from './volume-copy.ts';
export * from './volume-types.ts';
export * from './volumes.ts';

export class BlockStorageClient {
  static readonly projectPaths: ProjectPaths = ['/volumes/', '/snapshots/', '/backups/'];

  readonly volumes: Volumes;
  readonly volumeTypes: VolumeTypes;
  readonly attachments: BlockStorageAttachments;
  readonly backups: Backups;
  readonly snapshots: Snapshots;
  readonly transfers: Transfers;
  readonly limits: BlockStorageLimitsReader;
  readonly quotas: BlockStorageQuotasClient;
  readonly services: BlockStorageServices;
  readonly availabilityZones: AvailabilityZones;

  constructor(blockStorage: ServiceClient) {
    this.volumes = new Volumes(blockStorage);
    this.volumeTypes = new VolumeTypes(blockStorage);
    this.attachments = new BlockStorageAttachments(blockStorage);
    this.backups = new Backups(blockStorage);
    this.snapshots = new Snapshots(blockStorage);
    this.transfers = new Transfers(blockStorage);
    this.limits = new BlockStorageLimitsReader(blockStorage);
    this.quotas = new BlockStorageQuotasClient(blockStorage);
    this.services = new BlockStorageServices(blockStorage);
    this.availabilityZones = new AvailabilityZones(blockStorage);
  }
}
