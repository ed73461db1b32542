import type { RemovalOptions } from '@gateway/inventory';
import { nullIfNotFound, type ProjectClient, waitFor } from '@gateway/openstack';

/**
 * Waits until a server that is being deleted has released a volume. The volume itself stays. An attachment or
 * reservation that the deleted server has left behind is removed.
 */
export async function releaseVolume(
  { blockStorage, compute }: ProjectClient,
  volumeId: string,
  serverId: string,
  options: RemovalOptions,
): Promise<void> {
  const { attachments } = blockStorage;
  await waitFor(
    async () => {
      const own = (await attachments.listByVolume(volumeId)).filter(({ instance }) => instance === serverId);
      if (own.length === 0) return true;
      const isServerGone = (await nullIfNotFound(compute.servers.get(serverId))) === null;
      if (isServerGone) for (const { id } of own) await nullIfNotFound(attachments.remove(id));
      return undefined;
    },
    { ...options, describe: 'The volume' },
  );
}
