import { isLoadBalancerBusy, nullIfNotFound, type ProjectClient, waitFor } from '@gateway/openstack';
import type { ResourceKind } from './kind.ts';
import type { RemovalOptions } from './removal.ts';

export const loadBalancer = { poll: [1, 5], leftovers: null } as const satisfies ResourceKind;

/**
 * Waits until a load balancer is not busy, deletes it with everything below it, and waits until it is gone.
 */
export async function removeLoadBalancer(
  { loadBalancer: { loadBalancers } }: ProjectClient,
  id: string,
  options: RemovalOptions,
): Promise<void> {
  await waitFor(
    async () => {
      const balancer = await nullIfNotFound(loadBalancers.get(id));
      if (balancer === null || balancer.provisioning_status === 'DELETED') return true;
      if (balancer.provisioning_status.startsWith('PENDING_')) return undefined;
      await nullIfNotFound(loadBalancers.removeWithChildren(id)).catch((error: unknown) => {
        if (!isLoadBalancerBusy(error)) throw error;
      });
      return undefined;
    },
    { ...options, describe: 'The load balancer' },
  );
}
