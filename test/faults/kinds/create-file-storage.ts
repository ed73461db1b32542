import { createShareSteps } from '../../../apps/worker/src/sagas/create-resource/share.ts';
import type { Kind } from '../kind.ts';
import { resourceCreation, startResourceJob } from './resource-creation.ts';

const service = 'shared-file-system';

export const createFileStorage: Kind = {
  ...resourceCreation,
  name: 'create file storage',
  jobType: 'share.create',
  steps: createShareSteps.map((step) => step.name),
  entries: {
    plan: [{ service, operation: 'limits.get', isRead: true }],
    create: [{ service, operation: 'shares.create' }],
  },
  completed: { shares: 1 },
  start: (rig, _subject, requestId) =>
    startResourceJob(rig, '/api/file-storage/async', { body: { name: 'files', size_gb: 1 }, requestId }),
};
