import { isFloatingIpUsed } from '@gateway/openstack';

/** The states of resources that usually end by themselves. See decision 184 for those that stay. */

const SERVER_STATUSES = new Set([
  'BUILD',
  'HARD_REBOOT',
  'MIGRATING',
  'PASSWORD',
  'REBOOT',
  'REBUILD',
  'RESIZE',
  'REVERT_RESIZE',
]);

export function isInstanceInTransition({
  status,
  task_state,
}: {
  status: string;
  task_state: string | null;
}): boolean {
  return task_state !== null || SERVER_STATUSES.has(status);
}

/** Of volumes, snapshots and backups. */
const BLOCK_STORAGE_STATUSES = new Set([
  'attaching',
  'backing-up',
  'creating',
  'deleting',
  'detaching',
  'downloading',
  'extending',
  'managing',
  'reserved',
  'restoring',
  'restoring-backup',
  'retyping',
  'reverting',
  'unmanaging',
  'uploading',
]);

export function isBlockStorageInTransition({ status }: { status: string }): boolean {
  return BLOCK_STORAGE_STATUSES.has(status);
}

/**
 * `creating`, `extending`, `migrating_to`, `creating_from_snapshot`, …, but not `extending_error`, nor
 * `awaiting_transfer`, which another project ends.
 */
const SHARE_STATUS = /^(?!awaiting_)[a-z]+ing(?:$|_(?!.*error))/;

export function isFileStorageInTransition({ status }: { status: string }): boolean {
  return SHARE_STATUS.test(status);
}

const IMAGE_STATUSES = new Set(['queued', 'saving', 'uploading', 'importing', 'pending_delete']);

export function isImageInTransition({ status }: { status: string }): boolean {
  return IMAGE_STATUSES.has(status);
}

/** Networks, routers and ports become ACTIVE, DOWN or ERROR by themselves. */
export function isBeingBuilt({ status }: { status: string }): boolean {
  return status === 'BUILD' || status === 'ALLOCATING';
}

/** The router has not yet applied the change: the status follows the start and the end of a use. */
export function isFloatingIpInTransition(
  floatingIp: Parameters<typeof isFloatingIpUsed>[0] & { status: string },
): boolean {
  return floatingIp.status === (isFloatingIpUsed(floatingIp) ? 'DOWN' : 'ACTIVE');
}

export function isLoadBalancerInTransition(provisioningStatus: string): boolean {
  return provisioningStatus.startsWith('PENDING_');
}

/** `Creating`, `Deleting`, `Restarting`, … */
export function isContainerInTransition({ status }: { status: string }): boolean {
  return status.endsWith('ing') && status !== 'Running';
}

export function isManagedClusterInTransition({ status }: { status: string }): boolean {
  return status.endsWith('_IN_PROGRESS');
}
