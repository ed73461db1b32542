import { createManagedClusterSteps } from '../../../apps/worker/src/sagas/create-resource/managed-cluster.ts';
import { eventually } from '../../support/eventually.ts';
import type { Kind } from '../kind.ts';
import type { Rig } from '../rig.ts';
import { resourceCreation, startResourceJob } from './resource-creation.ts';

const service = 'container-infra';

interface Cluster {
  uuid: string;
}

export const createManagedCluster: Kind = {
  ...resourceCreation,
  name: 'create managed cluster',
  jobType: 'cluster.create',
  steps: createManagedClusterSteps.map((step) => step.name),
  entries: { plan: 'no call', create: [{ service, operation: 'clusters.create' }] },
  completed: { clusters: 1 },
  async prepare(rig) {
    await removeClusters(rig);
    const { clustertemplates } = await rig.cloud.call<{ clustertemplates: Cluster[] }>(
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

/** Removes the clusters of earlier cases, because a project may have few of them. */
async function removeClusters(rig: Rig): Promise<void> {
  await eventually(async () => {
    const { clusters } = await rig.cloud.call<{ clusters: Cluster[] }>(service, 'GET', '/clusters');
    for (const { uuid } of clusters) {
      await rig.cloud.call(service, 'DELETE', `/clusters/${uuid}`, undefined, [404]);
    }
    return clusters.length === 0 || undefined;
  });
}
