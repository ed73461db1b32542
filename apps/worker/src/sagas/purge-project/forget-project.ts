import type { GpuQuotaStore } from '@gateway/inventory';
import type { LiteClusterStore } from '@gateway/lite';

interface Stores {
  gpuQuotas: GpuQuotaStore;
  liteClusters: LiteClusterStore;
}

/**
 * Removes the gateway's records of a project whose resources are gone. The records of its lite clusters stay
 * as those of deleted clusters, for the time that the configuration says.
 */
export async function forgetProject({ gpuQuotas, liteClusters }: Stores, projectId: string): Promise<void> {
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
}
