import type { Stores } from './stores.ts';

/**
 * Removes the gateway's records of a project that is deleted, by a purge or because it was empty. The
 * records of its lite clusters stay as those of deleted clusters, for the time that the configuration
 * says.
 */
export async function forgetProject(
  {
    gpuQuotas,
    liteClusters,
    nearlyFullQuotas,
    webhooks,
  }: Pick<Stores, 'gpuQuotas' | 'liteClusters' | 'nearlyFullQuotas' | 'webhooks'>,
  projectId: string,
): Promise<void> {
  for (const cluster of await liteClusters.readOpenOfProject(projectId)) {
    await liteClusters.update(
      cluster,
      {
        status: 'DELETED',
        statusReason: 'Its project was deleted.',
        agents: [],
        serverVmId: null,
        securityGroupId: null,
        credential: null,
        keyId: null,
      },
      ['CREATING', 'ACTIVE', 'ERROR'],
    );
    await liteClusters.destroySecrets(cluster);
    await liteClusters.finishRemoval(cluster, Date.now());
  }
  await gpuQuotas.removeProject(projectId);
  await webhooks.removeOfProject(projectId);
  await nearlyFullQuotas.removeOfProject(projectId);
}
