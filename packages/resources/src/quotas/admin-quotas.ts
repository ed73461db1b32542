import type { BoundClient, QuotaUsage } from '@gateway/openstack';
import type { Config } from '@gateway/platform';
import { DashboardParts } from '../lists/dashboard-parts.ts';
import type { AdminQuotas } from './admin-quotas-shape.ts';
import { quotaValues } from './file-storage-quota.ts';
import type { QuotaValue } from './quota-value.ts';

type Service = AdminQuotas['unavailable'][number];

/**
 * @throws 404 for an unknown project, for which the services would return their default limits
 */
export async function readAdminQuotas(
  openstack: BoundClient,
  projectId: string,
  { services, timeLimits }: Pick<Config, 'services' | 'timeLimits'>,
): Promise<AdminQuotas> {
  await openstack.identity.projects.get(projectId);
  const hasLoadBalancers = await openstack.has('loadBalancer');
  const parts = new DashboardParts<Service>(timeLimits.dashboardPartSeconds * 1000);
  const part = <Name extends string>(
    service: Service,
    read: () => Promise<Record<Name, QuotaUsage>>,
  ): Promise<Record<Name, QuotaValue> | null> => parts.read(service, async () => quotaValues(await read()));
  const [{ cores, instances, ram }, { gigabytes, volumes }, network, file_storage, load_balancer] =
    await Promise.all([
      openstack.compute.quotas.get(projectId),
      openstack.blockStorage.quotas.get(projectId),
      part('network', () => openstack.network.quotas.getUsage(projectId)),
      services.sharedFs
        ? part('sharedFileSystem', () => openstack.sharedFileSystem.quotas.getUsage(projectId))
        : null,
      hasLoadBalancers ? part('loadBalancer', () => openstack.loadBalancer.quotas.getUsage(projectId)) : null,
    ]);
  return {
    compute: quotaValues({ instances, cores, ram }),
    volume: quotaValues({ volumes, gigabytes }),
    network,
    file_storage,
    load_balancer,
    unavailable: parts.unavailable,
  };
}
