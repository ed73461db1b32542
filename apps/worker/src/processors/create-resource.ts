import type { ResourceName } from '@gateway/core';
import { type JobPayload, type JobType, type ResourceMessage, resourceProgress } from '@gateway/jobs';
import type { ClusterCreate } from '@gateway/openstack';
import { jobMessage } from '../jobs/job-message.ts';
import type { Processor } from '../jobs/processor.ts';
import { resourceOwner } from '../jobs/resource-owner.ts';
import { sagaProcessor } from '../jobs/saga-processor.ts';
import type { Step } from '../saga/index.ts';
import { type BackupRequest, createBackupSteps } from '../sagas/create-resource/backup.ts';
import { createImageSteps } from '../sagas/create-resource/image.ts';
import type { ImageRequest, ImageState } from '../sagas/create-resource/image-saga.ts';
import { createManagedClusterSteps } from '../sagas/create-resource/managed-cluster.ts';
import { restoreBackupSteps } from '../sagas/create-resource/restore.ts';
import type { RestoreRequest } from '../sagas/create-resource/restore-step.ts';
import type { CreateResourceContext, CreateResourceState } from '../sagas/create-resource/saga.ts';
import { createShareSteps, type ShareRequest } from '../sagas/create-resource/share.ts';
import { createVolumeSteps, type VolumeRequest } from '../sagas/create-resource/volume.ts';

interface ResourceJob<Input, State extends object> {
  resourceType: ResourceMessage['resource_type'];
  steps: readonly Step<CreateResourceContext<Input>, State>[];
  completed: string;
  changes: readonly ResourceName[];
}

/** A job that creates one resource of a user and waits until it can be used. */
function createsResource<
  T extends JobType,
  Request,
  State extends CreateResourceState<Request> = CreateResourceState<Request>,
>({ changes, completed, resourceType, steps }: ResourceJob<JobPayload<T>, State>): Processor<T> {
  return sagaProcessor<T, CreateResourceContext<JobPayload<T>>, State>((job) => ({
    steps,
    context: {
      jobId: job.jobId,
      projectId: job.projectId,
      input: job.payload,
      config: job.worker.config,
      logger: job.logger,
      resourceOwner: resourceOwner(job),
      owner: () => job.credentials.owner,
      undelegatedOwner: () => job.credentials.undelegatedOwner,
    },
    message: (update, { resourceId }, failure): ResourceMessage =>
      jobMessage(update, failure, {
        resource_type: resourceType,
        // After a failure the resource does not exist.
        resource_id: failure === undefined ? (resourceId ?? null) : null,
      }),
    completed: { step: 'COMPLETED', progress: resourceProgress.COMPLETED, message: completed },
    failed: { step: 'FAILED', progress: resourceProgress.FAILED },
    changes,
  }));
}

export const volumeCreation = createsResource<'volume.create', VolumeRequest>({
  resourceType: 'volume',
  steps: createVolumeSteps,
  completed: 'The volume is available.',
  changes: ['volume'],
});

export const backupCreation = createsResource<'backup.create', BackupRequest>({
  resourceType: 'backup',
  steps: createBackupSteps,
  completed: 'The backup is available.',
  // A volume changes its status while it is being backed up.
  changes: ['backup', 'volume'],
});

export const backupRestore = createsResource<'backup.restore', RestoreRequest>({
  resourceType: 'volume',
  steps: restoreBackupSteps,
  completed: 'The backup is restored.',
  changes: ['backup', 'volume'],
});

export const imageCreation = createsResource<'image.create', ImageRequest, ImageState>({
  resourceType: 'image',
  steps: createImageSteps,
  completed: 'The image is active.',
  // The copy of the boot volume is a volume of the project until the end.
  changes: ['image', 'volume'],
});

export const shareCreation = createsResource<'share.create', ShareRequest>({
  resourceType: 'file_storage',
  steps: createShareSteps,
  completed: 'The file storage is available.',
  changes: ['file_storage'],
});

export const managedClusterCreation = createsResource<'cluster.create', ClusterCreate>({
  resourceType: 'cluster',
  steps: createManagedClusterSteps,
  completed: 'The cluster is complete.',
  changes: ['cluster'],
});
