import type { AutoBackupMessage, AutoBackupRun } from './auto-backup-jobs.ts';
import type { EvacuationMessage, HostEvacuation } from './host-jobs.ts';
import type { InstanceCreation, InstanceDeletion, InstanceMessage } from './instance-jobs.ts';
import type { LeftoverMessage, LeftoverRemoval } from './leftover-jobs.ts';
import type { BuildMessage, LibraryBuilding, LibraryVerifying, VerificationMessage } from './library-jobs.ts';
import type {
  ClusterCreation,
  ClusterCredentialReplacement,
  ClusterDeletion,
  ClusterHealthCheck,
  ClusterMessage,
  ClusterRepair,
  ClusterScaling,
  ClusterUpgrade,
} from './lite-jobs.ts';
import type { ProgressMessage } from './progress-message.ts';
import type { ProjectPurge, PurgeMessage } from './project-jobs.ts';
import type { QuotaMessage, QuotaUpdate } from './quota-jobs.ts';
import type {
  BackupCreation,
  BackupRestore,
  ImageCreation,
  ManagedClusterCreation,
  ResourceMessage,
  ShareCreation,
  VolumeCreation,
} from './resource-jobs.ts';
import type { SnapshotMessage, SnapshotTaking } from './snapshot-jobs.ts';

/**
 * The payload and the progress messages of each type of job. Producer, processors and streams take their
 * types from here, so a type of job without a processor does not compile.
 */
export interface JobCatalog {
  'backup.create': { payload: BackupCreation; message: ResourceMessage };
  'backup.restore': { payload: BackupRestore; message: ResourceMessage };
  'cluster.create': { payload: ManagedClusterCreation; message: ResourceMessage };
  'host.evacuate': { payload: HostEvacuation; message: EvacuationMessage };
  'image.create': { payload: ImageCreation; message: ResourceMessage };
  'instance.create': { payload: InstanceCreation; message: InstanceMessage };
  'instance.delete': { payload: InstanceDeletion; message: InstanceMessage };
  'leftover.remove': { payload: LeftoverRemoval; message: LeftoverMessage };
  'library.build': { payload: LibraryBuilding; message: BuildMessage };
  'library.verify': { payload: LibraryVerifying; message: VerificationMessage };
  'lite.create': { payload: ClusterCreation; message: ClusterMessage };
  'lite.credential': { payload: ClusterCredentialReplacement; message: ClusterMessage };
  'lite.delete': { payload: ClusterDeletion; message: ClusterMessage };
  'lite.health': { payload: ClusterHealthCheck; message: ProgressMessage };
  'lite.repair': { payload: ClusterRepair; message: ClusterMessage };
  'lite.scale': { payload: ClusterScaling; message: ClusterMessage };
  'lite.upgrade': { payload: ClusterUpgrade; message: ClusterMessage };
  'project.purge': { payload: ProjectPurge; message: PurgeMessage };
  'quotas.update': { payload: QuotaUpdate; message: QuotaMessage };
  'session.prefill': { payload: Record<string, never>; message: never };
  'share.create': { payload: ShareCreation; message: ResourceMessage };
  'timeseries.snapshot': { payload: SnapshotTaking; message: SnapshotMessage };
  'volume.auto-backup': { payload: AutoBackupRun; message: AutoBackupMessage };
  'volume.create': { payload: VolumeCreation; message: ResourceMessage };
}

export type JobType = keyof JobCatalog;
export type JobPayload<T extends JobType> = JobCatalog[T]['payload'];
