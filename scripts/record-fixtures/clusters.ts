import { type BoundClient, waitForGone, waitForStatus } from '@gateway/openstack';
import { record } from './recorder.ts';
import { addCleanup, recordRequired, statusOf, unknownId, waitOptions } from './scenario.ts';

/** Records a cluster of a public template. */
export async function recordClusters(mine: BoundClient, templateId: string): Promise<void> {
  const { clusters } = mine.containerInfra;
  const create = { name: 'record-cluster', cluster_template_id: templateId, node_count: 1, master_count: 1 };
  await record('container-infra/cluster-not-found', () => clusters.get(unknownId));
  await record('container-infra/cluster-no-template', () =>
    clusters.create({ ...create, cluster_template_id: unknownId }),
  );
  await record('container-infra/cluster-no-key-pair', () => clusters.create({ ...create, keypair: 'none' }));
  const id = await recordRequired('container-infra/cluster-create', () => clusters.create(create));
  addCleanup('cluster', async () => {
    await clusters.remove(id);
    await waitForGone(() => clusters.get(id), statusOf, waitOptions('The cluster'));
  });
  await waitForStatus(() => clusters.get(id), statusOf, {
    ...waitOptions('The cluster'),
    targetStates: ['CREATE_COMPLETE'],
    failedStates: ['CREATE_FAILED'],
  });
  await record('container-infra/cluster', () => clusters.get(id));
  await record('container-infra/clusters', () => clusters.list());
}
