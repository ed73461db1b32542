import { endRuns } from '@gateway/auto-backup';
import { forgetEndedJobs } from '@gateway/jobs';
import type { RedisConnections } from '@gateway/store';
import type { Stores } from './stores.ts';

interface Parts
  extends Pick<
    Stores,
    'autoBackups' | 'gpuQuotas' | 'liteClusters' | 'nearlyFullQuotas' | 'queues' | 'webhooks'
  > {
  redis: Pick<RedisConnections, 'store'>;
}

/**
 * Removes the gateway's records of a project that is deleted, by a purge or because it was empty. The
 * records of its lite clusters stay as those of deleted clusters, for the time that the configuration
 * says.
 */
export async function forgetProject(parts: Parts, projectId: string): Promise<void> {
  const { gpuQuotas, liteClusters, nearlyFullQuotas, webhooks } = parts;
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
  await endAutoBackups(parts, projectId);
  await gpuQuotas.removeProject(projectId);
  await webhooks.removeOfProject(projectId);
  await nearlyFullQuotas.removeOfProject(projectId);
  await forgetEndedJobs(parts.redis.store, projectId);
}

/** Their delegations are revoked with the unused ones. */
async function endAutoBackups({ autoBackups, queues, redis }: Parts, projectId: string): Promise<void> {
  const { entries, store } = autoBackups;
  for (const volumeId of await store.volumesOfProject(projectId)) {
    const id = await store.remove(projectId, volumeId);
    if (id !== null) await endRuns({ redis: redis.store, queues, entries }, id);
  }
}
