import { JOB_METADATA_KEY, toTimestamp } from '@gateway/core';
import {
  type BackupRecord,
  type BoundClient,
  knownMarks,
  nullIfNotFound,
  waitForGone,
} from '@gateway/openstack';
import { EVERYWHERE, type ResourceKind } from './kind.ts';
import { bestFirst, type JobMark } from './mark.ts';
import { type MarkedResource, marked, markOfMetadata } from './marked-resource.ts';
import { isStuck, type RemovalOptions, type RemovalRights } from './removal.ts';

export const backup = {
  poll: [1, 10],
  leftovers: {
    resource: 'backup',
    service: 'blockStorage',
    list: ({ blockStorage }, each) =>
      blockStorage.backups.listAs((one) => each(toMarkedBackup(one)), EVERYWHERE),
    get: async ({ blockStorage }, id) => toMarkedBackup(await blockStorage.backups.get(id)),
    remove: (rights, { id }, within) => removeBackup(rights, id, within('volumeSeconds', 'backupSeconds')),
  },
} as const satisfies ResourceKind;

export async function findBackups(
  { blockStorage }: BoundClient,
  name: string,
  { jobId, projectId }: JobMark,
): Promise<BackupRecord[]> {
  const backups = await blockStorage.backups.list({ name });
  // A backup without a project comes from a list of this project's backups only.
  const isMade = (one: BackupRecord) =>
    (one['os-backup-project-attr:project_id'] ?? projectId) === projectId &&
    knownMarks('blockStorage', one)[JOB_METADATA_KEY] === jobId;
  return bestFirst(backups.filter(isMade), ({ created_at }) => created_at);
}

export function toMarkedBackup(record: BackupRecord): MarkedResource {
  const { id, metadata, name, status } = record;
  return marked('backup', markOfMetadata(metadata), {
    id,
    name,
    projectId: record['os-backup-project-attr:project_id'] ?? '',
    isKept: true,
    createdAt: toTimestamp(record.created_at),
    use: status === 'restoring' ? 'Its state is restoring.' : null,
  });
}

/**
 * Deletes a backup and waits until it is gone. Fails while the backup is being created, because the service
 * refuses the deletion, unless the creation is stuck.
 */
export async function removeBackup(
  rights: RemovalRights,
  id: string,
  options: RemovalOptions,
): Promise<void> {
  const { backups } = rights.remover().blockStorage;
  const record = await nullIfNotFound(backups.get(id));
  if (record === null) return;
  if (record.status !== 'deleting') await beginRemoval(rights, id, isStuck(record, options));
  await waitForGone(
    () => backups.get(id),
    ({ status }) => status,
    { ...options, describe: 'The backup', failedStates: ['error_deleting'] },
  );
}

/** Deletes a backup without a wait. The service refuses an ordinary delete after a failed one. */
export function beginBackupRemoval(
  rights: RemovalRights,
  { id, status }: Pick<BackupRecord, 'id' | 'status'>,
): Promise<void> {
  return beginRemoval(rights, id, status === 'error_deleting');
}

async function beginRemoval(
  { forcer, remover }: RemovalRights,
  id: string,
  needsForce: boolean,
): Promise<void> {
  const force = needsForce ? await forcer() : null;
  const { backups } = (force ?? remover()).blockStorage;
  await nullIfNotFound(force === null ? backups.remove(id) : backups.forceDelete(id));
}
