import { isNotFound, UpstreamError } from '@gateway/openstack';
import { CachedList } from '../lists/cached-list.ts';

/** Quotas of a project; -1 is unlimited. Null if the project no longer exists. */
export interface ComputeQuota {
  cores: number;
  /** MB. */
  ram: number;
  instances: number;
}

/**
 * No service lists the quotas of several projects, so the quotas of each project have a
 * longer lifetime than lists.
 */
export const computeQuotaList = new CachedList<ComputeQuota | null>({
  name: 'computeQuotas',
  varyBy: 'project',
  dependsOn: ['quota'],
  lifetime: 'quotasSeconds',
  async load({ openstack, reader: { projectId } }) {
    const quotas = await nullIfGone(openstack.compute.quotas.get(projectId));
    if (quotas === null) return null;
    const { cores, instances, ram } = quotas;
    return { cores: cores.limit, ram: ram.limit, instances: instances.limit };
  },
});

/** GB of volumes and snapshots; -1 is unlimited. Null if the project no longer exists. */
export const blockStorageQuotaList = new CachedList<number | null>({
  name: 'storageQuotas',
  varyBy: 'project',
  dependsOn: ['quota'],
  lifetime: 'quotasSeconds',
  load: async ({ openstack, reader: { projectId } }) =>
    (await nullIfGone(openstack.blockStorage.quotas.get(projectId)))?.gigabytes.limit ?? null,
});

/** The compute service responds with 400 for the quotas of a project that does not exist. */
export async function nullIfGone<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (isNotFound(error) || (error instanceof UpstreamError && error.upstreamStatus === 400)) return null;
    throw error;
  }
}
