import { buildLibrarySteps } from '../../../apps/worker/src/sagas/build-library/index.ts';
import type { Kind } from '../kind.ts';
import { libraries } from '../rig-stack.ts';
import { acts } from './creation.ts';

/** The build of a prebuilt share, with a builder that the simulated cloud simulates. */
export const buildLibrary: Kind = {
  name: 'build library',
  jobType: 'library.build',
  steps: buildLibrarySteps.map((step) => step.name),
  entries: {
    plan: [{ service: 'image', operation: 'images.list', isRead: true }],
    share: [acts.share],
    port: 'not taken',
    'share-access': [acts.accessRule],
    'boot-volume': [acts.bootVolume],
    server: [acts.server],
    install: 'no call',
    'withdraw-access': [{ service: 'shared-file-system', operation: 'shares.deny_access' }],
    publish: [{ service: 'shared-file-system', operation: 'shares.set_metadata' }],
    'remove-builder': [{ service: 'compute', operation: 'servers.delete' }],
  },
  completed: { shares: 1 },
  runsSlowFaults: true,
  isCancellable: true,
  commitsAt: 'publish',
  user: 'admin',
  prepare: async () => '',
  async start(rig, _subject, requestId) {
    const path = `/api/admin/file-storage/build?library_id=${libraries.unbuilt.id}`;
    return rig.startJob(requestId, 'POST', path);
  },
};
