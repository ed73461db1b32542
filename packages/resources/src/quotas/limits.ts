import type { BlockStorageLimits, ComputeLimits } from '@gateway/openstack';
import { CachedList } from '../lists/cached-list.ts';

/** Limits of the project in the compute service, and their usage. */
export const computeLimitsList = new CachedList<ComputeLimits>({
  name: 'computeLimits',
  varyBy: 'project',
  dependsOn: ['instance', 'quota'],
  lifetime: 'limitsSeconds',
  load: ({ openstack }) => openstack.compute.limits.get(),
});

/** Limits of the project in the block storage service, and their usage. */
export const blockStorageLimitsList = new CachedList<BlockStorageLimits>({
  name: 'storageLimits',
  varyBy: 'project',
  dependsOn: ['volume', 'snapshot', 'backup', 'quota'],
  lifetime: 'limitsSeconds',
  load: ({ openstack }) => openstack.blockStorage.limits.get(),
});
