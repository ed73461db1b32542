import type { JobType } from '@gateway/jobs';
import type { Processor } from '../jobs/processor.ts';
import { autoBackup } from './auto-backup.ts';
import { resourceProcessors } from './create-resource.ts';
import { hostEvacuation } from './host-evacuate.ts';
import { instanceCreation } from './instance-create.ts';
import { instanceDeletion } from './instance-delete.ts';
import { leftoverRemoval } from './leftover-remove.ts';
import { libraryBuild } from './library-build.ts';
import { libraryVerification } from './library-verify.ts';
import { liteClusterCreation } from './lite-create.ts';
import { liteCredentialReplacement } from './lite-credential.ts';
import { liteClusterDeletion } from './lite-delete.ts';
import { liteClusterHealthCheck } from './lite-health.ts';
import { liteClusterRepair } from './lite-repair.ts';
import { liteClusterScaling } from './lite-scale.ts';
import { liteClusterUpgrade } from './lite-upgrade.ts';
import { projectPurge } from './project-purge.ts';
import { quotaUpdate } from './quotas-update.ts';
import { sessionPrefill } from './session-prefill.ts';
import { timeSeriesSnapshot } from './time-series-snapshot.ts';

const processors: { [T in JobType]: Processor<T> } = {
  ...resourceProcessors,
  'host.evacuate': hostEvacuation,
  'instance.create': instanceCreation,
  'instance.delete': instanceDeletion,
  'leftover.remove': leftoverRemoval,
  'library.build': libraryBuild,
  'library.verify': libraryVerification,
  'lite.create': liteClusterCreation,
  'lite.credential': liteCredentialReplacement,
  'lite.delete': liteClusterDeletion,
  'lite.health': liteClusterHealthCheck,
  'lite.repair': liteClusterRepair,
  'lite.scale': liteClusterScaling,
  'lite.upgrade': liteClusterUpgrade,
  'project.purge': projectPurge,
  'quotas.update': quotaUpdate,
  'session.prefill': sessionPrefill,
  'timeseries.snapshot': timeSeriesSnapshot,
  'volume.auto-backup': autoBackup,
};

/**
 * The processor of a job type; a type without one does not compile. The cast is needed because the compiler
 * cannot relate the type in a queue entry to its payload.
 */
export function processorOf(type: JobType): Processor<JobType> {
  return processors[type] as Processor<JobType>;
}
