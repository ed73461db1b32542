import { listServerGpus } from '@gateway/inventory';
import type { BlockStorageQuotas, ComputeQuotas, QuotaUsage } from '@gateway/openstack';
import { CachedList } from '../lists/cached-list.ts';
import { DashboardParts } from '../lists/dashboard-parts.ts';
import type { DashboardQuotas } from './dashboard-quotas-shape.ts';
import { presentFileStorageQuota, quotaValues } from './file-storage-quota.ts';
import { presentGpuQuotas } from './gpu-quotas.ts';
import type { QuotaValue } from './quota-value.ts';

/** Varies by user because each user has key pairs of their own. */
export const dashboardQuotas = new CachedList<DashboardQuotas>({
  name: 'dashboardQuotas',
  varyBy: 'user',
  dependsOn: [
    'quota',
    'instance',
    'keypair',
    'volume',
    'snapshot',
    'backup',
    'network',
    'subnet',
    'port',
    'router',
    'floating_ip',
    'security_group',
    'file_storage',
    // Consist of instances, volumes and network resources.
    'load_balancer',
    'cluster',
    'lite_cluster',
  ],
  lifetime: 'limitsSeconds',
  async load({ config, onIncomplete, openstack, reader: { projectId }, readGpuRecords }) {
    const parts = new DashboardParts<DashboardQuotas['unavailable'][number]>(
      config.timeLimits.dashboardPartSeconds * 1000,
      onIncomplete,
    );
    const [compute, storage, network, file_storage, gpu] = await Promise.all([
      parts.read('compute', async () => {
        const { quotas, keypairs } = openstack.compute;
        const [limits, own] = await Promise.all([quotas.get(projectId), keypairs.list()]);
        return presentComputeQuotas(limits, own.length);
      }),
      parts.read('blockStorage', async () =>
        presentBlockStorageQuotas(await openstack.blockStorage.quotas.get(projectId)),
      ),
      parts.read('network', async () => quotaValues(await openstack.network.quotas.getUsage(projectId))),
      config.services.sharedFs
        ? parts.read('sharedFileSystem', async () =>
            presentFileStorageQuota(await openstack.sharedFileSystem.limits.get()),
          )
        : null,
      readGpuRecords(projectId).then(
        (records) =>
          parts.read('compute', () => presentGpuQuotas(records, () => listServerGpus(openstack, config.gpu))),
        () => {
          onIncomplete();
          return null;
        },
      ),
    ]);
    return { compute, storage, network, file_storage, gpu, unavailable: parts.unavailable };
  },
});

/** The service limits the key pairs of each user and does not report their number. */
function presentComputeQuotas(quotas: ComputeQuotas, ownKeypairs: number): DashboardQuotas['compute'] {
  return {
    instances: value(quotas.instances),
    cores: value(quotas.cores),
    ram: value(quotas.ram),
    key_pairs: { limit: quotas.key_pairs.limit, in_use: ownKeypairs },
    server_groups: value(quotas.server_groups),
  };
}

function presentBlockStorageQuotas(quotas: BlockStorageQuotas): DashboardQuotas['storage'] {
  const { volumes, snapshots, gigabytes, backups, backup_gigabytes } = quotas;
  return quotaValues({ volumes, snapshots, gigabytes, backups, backup_gigabytes });
}

function value({ limit, in_use }: QuotaUsage): QuotaValue {
  return { limit, in_use };
}
