import { verifyLibrarySteps } from '../../../apps/worker/src/sagas/verify-library/index.ts';
import type { Kind } from '../kind.ts';
import { libraries } from '../rig-stack.ts';
import { acts } from './creation.ts';

/** The verification of a prebuilt NFS share, with a machine that the simulated cloud simulates. */
export const verifyLibrary: Kind = {
  name: 'verify library',
  jobType: 'library.verify',
  steps: verifyLibrarySteps.map((step) => step.name),
  entries: {
    plan: [{ service: 'image', operation: 'images.list', isRead: true }],
    port: [acts.port],
    'share-access': [{ ...acts.accessRule, isTemporary: true }],
    'boot-volume': [acts.bootVolume],
    'upper-volume': [acts.upperVolume],
    server: [acts.server],
    imports: 'no call',
    'remove-verifier': [
      { label: 'server', service: 'compute', operation: 'servers.delete' },
      { label: 'rule', service: 'shared-file-system', operation: 'shares.deny_access' },
      { label: 'port', service: 'network', operation: 'ports.delete' },
    ],
  },
  completed: {},
  runsSlowFaults: true,
  isCancellable: true,
  commitsAt: 'remove-verifier',
  user: 'admin',
  async prepare(rig) {
    const shares = await rig
      .gateway(0)
      .read<{ id: string; metadata: { overlay_library?: string } }[]>('/api/libraries/shares');
    return shares.find(({ metadata }) => metadata.overlay_library === libraries.nfs.id)?.id ?? '';
  },
  async start(rig, shareId, requestId) {
    return rig.startJob(requestId, 'POST', `/api/admin/file-storage/${shareId}/verify`);
  },
};
