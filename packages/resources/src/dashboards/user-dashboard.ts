import { fileStorageLists } from '../file-storages/file-storages.ts';
import { countInstances } from '../instances/instance-counts.ts';
import { instanceList } from '../instances/instance-list.ts';
import { CachedList, hasRowsInTransition } from '../lists/cached-list.ts';
import { DashboardParts } from '../lists/dashboard-parts.ts';
import {
  isBlockStorageInTransition,
  isFileStorageInTransition,
  isInstanceInTransition,
} from '../transitions/states-in-transition.ts';
import { volumeList } from '../volumes/volumes.ts';
import type { UserDashboard } from './user-dashboard-shape.ts';

/** A number of resources and their total size in GB. */
type StorageTotals = NonNullable<UserDashboard['summary']['volumes']>;

export const userDashboard = new CachedList<UserDashboard>({
  name: 'userDashboard',
  varyBy: 'user',
  dependsOn: [
    'instance',
    'image',
    'flavor',
    'volume',
    'file_storage',
    'network',
    'floating_ip',
    'user',
    'project',
  ],
  lifetime: 'limitsSeconds',
  async load(sources) {
    const { config, openstack, reader } = sources;
    const { projectId } = reader;
    const parts = new DashboardParts<UserDashboard['unavailable'][number]>(
      config.timeLimits.dashboardPartSeconds * 1000,
      sources.onIncomplete,
    );
    const readOwn = async <Row extends { user_id: string | null }>(
      list: CachedList<Row[]>,
      isInTransition: (row: Row) => boolean,
    ) => {
      const all = await list.read(sources, sources.refresh);
      const own = all.filter(({ user_id }) => user_id === reader.userId);
      if (hasRowsInTransition(all) && own.some(isInTransition)) sources.onTransition();
      return own;
    };
    const countInProject = (rows: { project_id: string }[]) =>
      rows.filter(({ project_id }) => project_id === projectId).length;
    const [instances, volumes, file_storages, networks, floating_ips] = await Promise.all([
      parts.read('compute', () => readOwn(instanceList, isInstanceInTransition)),
      parts.read('blockStorage', () => readOwn(volumeList, isBlockStorageInTransition)),
      config.services.sharedFs
        ? parts.read('sharedFileSystem', () => readOwn(fileStorageLists.project, isFileStorageInTransition))
        : [],
      parts.read('network', async () =>
        countInProject(await openstack.network.networks.list({ project_id: projectId })),
      ),
      parts.read('network', async () =>
        countInProject(await openstack.network.floatingIps.list({ project_id: projectId })),
      ),
    ]);
    return {
      instances,
      volumes,
      file_storages,
      summary: {
        instances: instances && countInstances(instances),
        vcpus: instances && sum(instances, ({ vcpus }) => vcpus),
        ram: instances && sum(instances, ({ ram }) => ram),
        volumes: volumes && totalsOf(volumes),
        file_storages: file_storages && totalsOf(file_storages),
        networks,
        floating_ips,
      },
      unavailable: parts.unavailable,
    };
  },
});

function totalsOf(rows: readonly { size: number }[]): StorageTotals {
  return { total: rows.length, total_gb: sum(rows, ({ size }) => size) };
}

function sum<T>(rows: readonly T[], value: (row: T) => number): number {
  return rows.reduce((total, row) => total + value(row), 0);
}
