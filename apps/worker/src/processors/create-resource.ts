import type { Effect } from '@gateway/activity';
import { type JobPayload, type ResourceMessage, resourceJobs } from '@gateway/jobs';
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
  steps: readonly Step<CreateResourceContext<Input>, State>[];
  completed: string;
  writes: Effect;
}

/** A job that creates one resource of a user and waits until it can be used. */
function createsResource<
  T extends keyof typeof resourceJobs,
  Request,
  State extends CreateResourceState<Request> = CreateResourceState<Request>,
>({ completed, steps, writes }: ResourceJob<JobPayload<T>, State>): Processor<T> {
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
        resource_type: resourceJobs[job.type].resourceType,
        // After a failure the resource does not exist.
        resource_id: failure === undefined ? (resourceId ?? null) : null,
      }),
    completed,
    writes,
  }));
}

export const resourceProcessors = {
  'volume.create': createsResource<'volume.create', VolumeRequest>({
    steps: createVolumeSteps,
    completed: 'The volume is available.',
    writes: { resource: 'volume', as: 'created' },
  }),
  'backup.create': createsResource<'backup.create', BackupRequest>({
    steps: createBackupSteps,
    completed: 'The backup is available.',
    // A volume changes its status while it is being backed up.
    writes: { resource: 'backup', as: 'created', touches: ['volume'] },
  }),
  'backup.restore': createsResource<'backup.restore', RestoreRequest>({
    steps: restoreBackupSteps,
    completed: 'The backup is restored.',
    writes: { resource: 'volume', as: 'updated', touches: ['backup'] },
  }),
  'image.create': createsResource<'image.create', ImageRequest, ImageState>({
    steps: createImageSteps,
    completed: 'The image is active.',
    // The copy of the boot volume is a volume of the project until the end.
    writes: { resource: 'image', as: 'created', touches: ['volume'] },
  }),
  'share.create': createsResource<'share.create', ShareRequest>({
    steps: createShareSteps,
    completed: 'The file storage is available.',
    writes: { resource: 'file_storage', as: 'created' },
  }),
  'cluster.create': createsResource<'cluster.create', ClusterCreate>({
    steps: createManagedClusterSteps,
    completed: 'The cluster is complete.',
    writes: { resource: 'cluster', as: 'created' },
  }),
};
