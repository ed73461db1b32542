import type { ShareRecord } from '@gateway/openstack';
import { isFileStorageInTransition } from '../transitions/states-in-transition.ts';
import type { ActionRule } from './rule.ts';

/** The fields of a share by which actions are allowed. */
type FileStorageState = Pick<ShareRecord, 'metadata' | 'status'>;

const DELETABLE = ['available', 'error', 'inactive'];

export const RULES_OF_PREBUILT = 'The access rules of a prebuilt file storage are managed by the gateway.';

/** Whether the share says that it holds a library for all projects. */
export function isMarkedPrebuilt({ metadata }: Pick<ShareRecord, 'metadata'>): boolean {
  return metadata?.overlay_type === 'prebuilt';
}

/** The metadata say whether jobs and instances use it. */
const UNKNOWN_USE = ' cannot be changed, because the service does not say its metadata';

/**
 * The actions on a file storage. A file storage that is a layer of an instance, is being verified, or has
 * snapshots is not deleted either, which its record does not say.
 */
export const fileStorageActions = {
  add_access_rule: {
    endpoint: 'POST /api/file-storage/{file_storage_id}/access-rules',
    refusal: 'The file storage',
    isInTransition: isFileStorageInTransition,
    forbids: (share) => (isMarkedPrebuilt(share) ? RULES_OF_PREBUILT : null),
    reasonAgainst({ metadata, status }) {
      if (metadata === null) return UNKNOWN_USE;
      return status === 'available'
        ? null
        : ` is ${status} and takes access rules only while it is available`;
    },
  },
  remove_access_rule: {
    endpoint: 'DELETE /api/file-storage/{file_storage_id}/access-rules/{access_id}',
    refusal: 'The access rule of the file storage cannot be removed',
    forbids: (share) => (isMarkedPrebuilt(share) ? RULES_OF_PREBUILT : null),
    reasonAgainst: () => null,
  },
  delete: {
    endpoint: 'DELETE /api/file-storage/{file_storage_id}',
    refusal: 'The file storage',
    isInTransition: isFileStorageInTransition,
    forbids: (share, { isAdministrator }) =>
      isMarkedPrebuilt(share) && !isAdministrator
        ? 'A prebuilt file storage of a library can be deleted by administrators only.'
        : null,
    reasonAgainst({ metadata, status }) {
      if (metadata === null) return UNKNOWN_USE;
      return DELETABLE.includes(status) ? null : ` is ${status} and cannot be deleted in this state`;
    },
  },
} satisfies Record<string, ActionRule<FileStorageState>>;

export type FileStorageAction = keyof typeof fileStorageActions;
