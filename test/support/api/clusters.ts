import { newId } from '@gateway/core';
import type { LiteCluster, LiteClusterChange } from '@gateway/lite';
import type { TestCaller } from './factories.ts';
import type { TestApi } from './suite.ts';

/** Writes the record of a cluster of the caller's project, as its creation leaves it. */
export async function storeCluster(
  { context }: Pick<TestApi, 'context'>,
  { projectId, userId }: Pick<TestCaller, 'projectId' | 'userId'>,
  change: LiteClusterChange = { status: 'ACTIVE' },
): Promise<LiteCluster> {
  const cluster = {
    id: newId(),
    projectId,
    userId,
    name: `cluster-${newId().slice(0, 8)}`,
    keyName: null,
    networkId: 'network-1',
    agentFlavorId: 'flavor-1',
    creationJobId: newId(),
    plugins: [],
    createdAt: Date.now(),
  };
  await context.liteClusters.create(cluster);
  await context.liteClusters.update(cluster, change, ['CREATING']);
  return (await context.liteClusters.read(cluster.id)) as LiteCluster;
}
