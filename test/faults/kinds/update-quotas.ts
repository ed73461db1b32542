import { updateQuotasSteps } from '../../../apps/worker/src/sagas/update-quotas/index.ts';
import type { Kind } from '../kind.ts';

interface Limit {
  limit: number;
}

const OLD = { instances: 40, volumes: 40, networks: 40, shares: 40, load_balancers: 40 };
const NEW = { instances: 30, volumes: 30, networks: 30, shares: 30, load_balancers: 30 };

/**
 * A change of the limits of five services. Afterwards either all have the new limits, or the job has failed
 * and all have the old limits.
 */
export const updateQuotas: Kind = {
  name: 'update quotas',
  jobType: 'quotas.update',
  steps: updateQuotasSteps.map((step) => step.name),
  entries: {
    'read-limits': [{ service: 'identity', operation: 'projects.get', isRead: true }],
    compute: [{ service: 'compute', operation: 'quotas.update' }],
    storage: [{ service: 'block-storage', operation: 'quotas.update' }],
    network: [{ service: 'network', operation: 'quotas.update' }],
    'file-storage': [{ service: 'shared-file-system', operation: 'quotas.update' }],
    'load-balancer': [{ service: 'load-balancer', operation: 'quotas.update' }],
  },
  completed: {},
  runsSlowFaults: true,
  isCancellable: false,
  revertsAt: 'load-balancer',
  user: 'admin',
  async prepare(rig) {
    const { status, text } = await rig.gateway(0).request('PUT', pathOf(rig.cloud.projectId), OLD);
    if (status !== 200) throw new Error(`The quotas could not be prepared: ${text}`);
    return rig.cloud.projectId;
  },
  async start(rig, projectId, requestId) {
    return rig.startJob(requestId, 'PUT', pathOf(projectId), NEW);
  },
  async inspect(rig, projectId, isCompleted) {
    const { compute, volume, network, file_storage, load_balancer } = await rig.gateway().read<{
      compute: { instances: Limit };
      volume: { volumes: Limit };
      network: { networks: Limit };
      file_storage: { shares: Limit };
      load_balancer: { load_balancers: Limit };
    }>(pathOf(projectId));
    const found = {
      instances: compute.instances.limit,
      volumes: volume.volumes.limit,
      networks: network.networks.limit,
      shares: file_storage.shares.limit,
      load_balancers: load_balancer.load_balancers.limit,
    };
    const expected = isCompleted ? NEW : OLD;
    const isRight = JSON.stringify(found) === JSON.stringify(expected);
    return isRight ? [] : [`the limits are ${JSON.stringify(found)}`];
  },
};

function pathOf(projectId: string): string {
  return `/api/admin/quotas/${projectId}`;
}
