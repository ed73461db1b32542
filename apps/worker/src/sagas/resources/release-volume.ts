import { type BoundClient, waitFor } from '@gateway/openstack';
import { orNull, type RemovalOptions } from './removal.ts';

/**
 * Waits until a volume is free of a server that is being deleted. The volume itself stays. A server that is gone may have
 * left its attachment, or a reservation, behind: that is removed.
 */
export async function releaseVolume(
  { blockStorage, compute }: BoundClient,
  volumeId: string,
  serverId: string,
  options: RemovalOptions,
): Promise<void> {
  const { attachments } = blockStorage;
  await waitFor(
    async () => {
      const own = (await attachments.listByVolume(volumeId)).filter(({ instance }) => instance === serverId);
      if (own.length === 0) return true;
      const isServerGone = (await orNull(compute.servers.get(serverId))) === null;
      if (isServerGone) for (const { id } of own) await orNull(attachments.remove(id));
      return undefined;
    },
    { ...options, describe: 'The volume' },
  );
}
