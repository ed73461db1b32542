import { attachmentsOf, describeAttached, type VolumeRecord } from '@gateway/openstack';
import { isBlockStorageInTransition } from '../transitions/states-in-transition.ts';
import { managerOfVolume } from './managed-by.ts';
import type { ActionRule, Against } from './rule.ts';
import { statusRule } from './status-rule.ts';

/** The fields of a volume by which actions are allowed. */
export type VolumeState = Pick<
  VolumeRecord,
  'attachments' | 'bootable' | 'metadata' | 'multiattach' | 'status'
>;

const DELETABLE = ['available', 'error', 'error_restoring', 'error_extending', 'error_managing'];

const AVAILABLE = { statuses: ['available'], needs: 'it has to be available' };

const USABLE = { statuses: ['available', 'in-use'], needs: 'it has to be available or in use' };

/** The state of a volume in use can be kept with `force`. */
const READABLE = {
  statuses: ['available', 'in-use'],
  needs: 'it has to be available, or in use with `force`',
};

function attachedTo(volume: VolumeState): string | null {
  const attachments = attachmentsOf(volume);
  if (attachments === null) return 'the block storage service does not say what it is attached to';
  const [attachment] = attachments;
  return attachment === undefined ? null : `it is attached to ${describeAttached(attachment)}`;
}

/**
 * The boot volume of an instance, and the writable layer of its libraries, stay attached. A volume's record
 * does not say that an instance boots from it: it is then bootable, and the first disk.
 */
function keptAttached(volume: VolumeState): Against | null {
  const attached = attachmentsOf(volume)?.filter(({ server_id }) => server_id !== null) ?? [];
  if (volume.status !== 'in-use' || attached.length === 0) {
    return `: its status is ${volume.status}, and it is attached to no instance`;
  }
  if (managerOfVolume(volume)?.type === 'instance')
    return ['protected', ': its instance was created with it'];
  const isBootVolume = volume.bootable === 'true' && attached.some(({ device }) => /[vsh]da$/.test(device));
  return isBootVolume ? ['protected', ': an instance boots from it'] : null;
}

/**
 * The actions on a volume, in the order in which rows name them. The service also refuses the deletion of a
 * volume that has snapshots, which its record does not say.
 */
export const volumeActions = {
  attach: {
    endpoint: 'POST /api/instances/{instance_id}/volumes',
    refusal: 'The volume cannot be attached',
    isInTransition: isBlockStorageInTransition,
    reasonAgainst({ multiattach, status }: VolumeState) {
      if (status === 'available' || (multiattach && status === 'in-use')) return null;
      return `: its status is ${status}, not available`;
    },
  } satisfies ActionRule<VolumeState>,
  detach: {
    endpoint: 'DELETE /api/instances/{instance_id}/volumes/{volume_id}',
    refusal: 'The volume cannot be detached',
    isInTransition: isBlockStorageInTransition,
    reasonAgainst: keptAttached,
  } satisfies ActionRule<VolumeState>,
  create_snapshot: statusRule<VolumeState>({
    endpoint: 'POST /api/volume-snapshots',
    refusal: 'No snapshot of the volume can be taken',
    ...READABLE,
  }),
  create_backup: statusRule<VolumeState>({
    endpoint: 'POST /api/volumes/backups',
    refusal: 'The volume cannot be backed up',
    ...READABLE,
  }),
  update: {
    endpoint: 'PUT /api/volumes/{volume_id}',
    refusal: 'The volume cannot be changed',
    reasonAgainst: () => null,
  } satisfies ActionRule<VolumeState>,
  extend: statusRule<VolumeState>({
    endpoint: 'POST /api/volumes/{volume_id}/extend',
    refusal: 'The volume cannot be extended',
    ...USABLE,
  }),
  retype: statusRule<VolumeState>({
    endpoint: 'POST /api/volumes/{volume_id}/retype',
    refusal: 'The volume cannot get another type',
    ...USABLE,
  }),
  transfer: statusRule<VolumeState>({
    endpoint: 'POST /api/volumes/{volume_id}/transfer',
    refusal: 'The volume cannot be transferred',
    ...AVAILABLE,
  }),
  delete: statusRule<VolumeState>({
    endpoint: 'DELETE /api/volumes/{volume_id}',
    refusal: 'The volume cannot be deleted',
    statuses: DELETABLE,
    needs: 'it has to be available or failed, and not in use',
    afterFailedDeletion: 'only a force-delete removes it now',
    usedBy: attachedTo,
  }),
  force_delete: statusRule<VolumeState>({
    endpoint: 'POST /api/volumes/{volume_id}/force-delete',
    refusal: 'The volume cannot be deleted',
    statuses: [...DELETABLE, 'error_deleting'],
    needs: 'it has to be available or failed, and not in use',
    usedBy: attachedTo,
  }),
};

export type VolumeAction = keyof typeof volumeActions;
