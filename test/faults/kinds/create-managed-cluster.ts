import { createManagedClusterSteps } from '../../../apps/worker/src/sagas/create-resource/managed-cluster.ts';
import type { Kind } from '../kind.ts';
import { resourceCreation, startResourceJob } from './resource-creation.ts';

const service = 'container-infra';

export const createManagedCluster: Kind = {
  ...resourceCreation,
  name: 'create managed cluster',
  jobType: 'cluster.create',
  steps: createManagedClusterSteps.map((step) => step.name),
  entries: { plan: 'no call', create: [{ service, operation: 'clusters.create' }] },
  completed: { clusters: 1 },
  async prepare(rig) {
    const { clustertemplates } = await rig.cloud.call<{ clustertemplates: { uuid: string }[] }>(
      service,
      'GET',
      '/clustertemplates',
    );
    return clustertemplates[0]?.uuid ?? '';
  },
  start: (rig, cluster_template_id, requestId) =>
    startResourceJob(rig, '/api/clusters/async', {
      body: { name: 'managed', cluster_template_id },
      requestId,
    }),
};
