import type { ServiceName } from '@gateway/platform';
import type { FileStorage } from '../file-storages/file-storage-shape.ts';
import { fileStorageLists } from '../file-storages/file-storages.ts';
import { countInstances } from '../instances/instance-counts.ts';
import type { InstanceCounts } from '../instances/instance-counts-shape.ts';
import { instanceList } from '../instances/instance-list.ts';
import type { Instance } from '../instances/instance-shape.ts';
import { CachedList, hasRowsInTransition } from '../lists/cached-list.ts';
import { DashboardParts } from '../lists/dashboard-parts.ts';
import {
  isBlockStorageInTransition,
  isFileStorageInTransition,
  isInstanceInTransition,
} from '../transitions/states-in-transition.ts';
import type { Volume } from '../volumes/volume-shape.ts';
import { volumeList } from '../volumes/volumes.ts';

/** A number of resources and their total size in GB. */
interface StorageTotals {
  total: number;
  total_gb: number;
}

/** The resources that the caller created in the project. A part is null while its service is unavailable. */
export interface UserDashboard {
  instances: Instance[] | null;
  volumes: Volume[] | null;
  /** Empty if the service is not enabled. */
  file_storages: FileStorage[] | null;
  summary: {
    instances: InstanceCounts | null;
    vcpus: number | null;
    /** MB. */
    ram: number | null;
    volumes: StorageTotals | null;
    file_storages: StorageTotals | null;
    /**
     * The number in the project, like that of floating IPs: the network service does not report the creator.
     */
    networks: number | null;
    floating_ips: number | null;
  };
  unavailable: ServiceName[];
}

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
    const parts = new DashboardParts(config.timeLimits.dashboardPartSeconds * 1000, sources.onIncomplete);
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
