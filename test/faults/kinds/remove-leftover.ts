import { removeLeftoverSteps } from '../../../apps/worker/src/sagas/remove-leftover/index.ts';
import { eventually } from '../../support/eventually.ts';
import type { Kind } from '../kind.ts';

/**
 * The removal of a stray volume by an administrator. Afterwards either the volume is deleted, or the job has
 * failed and the volume exists.
 */
export const removeLeftover: Kind = {
  name: 'remove leftover',
  jobType: 'leftover.remove',
  steps: removeLeftoverSteps.map((step) => step.name),
  entries: {
    remove: [
      // The api makes the first read.
      { label: 'look', service: 'compute', operation: 'servers.list_detail', nth: 2, isRead: true },
      { label: 'delete', service: 'block-storage', operation: 'volumes.delete' },
    ],
  },
  completed: { volumes: -1 },
  runsSlowFaults: true,
  isCancellable: false,
  user: 'admin',
  async prepare({ cloud }) {
    const { volume } = await cloud.call<{ volume: { id: string } }>('volumev3', 'POST', '/volumes', {
      volume: { name: 'stray', size: 1, metadata: { gateway_job_id: crypto.randomUUID() } },
    });
    await eventually(async () => {
      const answer = await cloud.call<{ volume: { status: string } }>(
        'volumev3',
        'GET',
        `/volumes/${volume.id}`,
      );
      return answer.volume.status === 'available';
    });
    return volume.id;
  },
  async start(rig, volumeId, requestId) {
    const path = `/api/admin/leftovers/volume/${volumeId}/remove`;
    return rig.startJob(requestId, 'POST', path, { force: true });
  },
};
