import { createVolumeSteps } from '../../../apps/worker/src/sagas/create-resource/volume.ts';
import type { Kind } from '../kind.ts';
import { prepareVolume, resourceCreation, startResourceJob, storage } from './resource-creation.ts';

/** A copy of an image, whose fill takes its time. */
export const createVolume: Kind = {
  ...resourceCreation,
  name: 'create volume',
  jobType: 'volume.create',
  steps: createVolumeSteps.map((step) => step.name),
  entries: {
    plan: [{ service: 'image', operation: 'images.get', isRead: true }],
    create: [{ service: storage, operation: 'volumes.create' }],
  },
  completed: { volumes: 1 },
  start: (rig, _subject, requestId) =>
    startResourceJob(rig, '/api/volumes/async', { body: { name: 'copy', image_id: rig.imageId }, requestId }),
};

/** A copy of another volume. */
export const copyVolume: Kind = {
  ...createVolume,
  name: 'copy volume',
  entries: {
    plan: [{ service: storage, operation: 'volumes.get', isRead: true }],
    create: [{ service: storage, operation: 'volumes.create' }],
  },
  runsSlowFaults: false,
  prepare: (rig) => prepareVolume(rig),
  start: (rig, source, requestId) =>
    startResourceJob(rig, '/api/volumes/async', {
      body: { name: 'copy', source_volume_id: source },
      requestId,
    }),
};
