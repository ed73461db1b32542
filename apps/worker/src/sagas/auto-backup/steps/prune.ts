import { GatewayError } from '@gateway/core';
import { autoBackupProgress } from '@gateway/jobs';
import type { BackupRecord } from '@gateway/openstack';
import { requireState } from '@gateway/saga';
import { beginBackupRemoval } from '../../resources/backup-removal.ts';
import { removeAll } from '../../resources/remove-all.ts';
import {
  AUTO_BACKUP_METADATA_KEY,
  type AutoBackupStepContext,
  announce,
  defineAutoBackupStep,
  hasVolume,
} from '../saga.ts';

const KEPT_FOR_DEPENDENTS = 'Older backups were kept because incremental backups depend on them.';

/**
 * Deletes the oldest available backups of this configuration beyond its retention, and those whose deletion
 * has failed in the service, from which nothing can be restored. Never deletes another backup. A failure does
 * not fail the run: the new backup is there, and the next run tries again.
 */
export const pruneBackups = defineAutoBackupStep<{ pruneProblem: string | null }>({
  name: 'prune',
  beginUpdate: announce(
    'BACKUPS_PRUNING',
    autoBackupProgress.BACKUPS_PRUNING,
    'Older backups beyond the retention are being deleted.',
  ),
  when: hasVolume,
  onRepeat: 'idempotent',
  async run(context) {
    try {
      return { pruneProblem: await prune(context) };
    } catch (error) {
      context.signal.throwIfAborted();
      if (!(error instanceof GatewayError)) throw error;
      context.logger.warn('Older backups could not be deleted', { error });
      return { pruneProblem: problem(error.message) };
    }
  },
});

async function prune(context: AutoBackupStepContext): Promise<string | null> {
  const configuration = await context.configuration();
  // Backups outlive their configuration.
  if (configuration === null) return null;
  const { backups } = context.owner().blockStorage;
  const own = (await backups.list({ volume_id: context.input.volumeId })).filter(isOwn(context));
  const isNew = ({ id }: BackupRecord) => id === requireState(context, 'backupId');
  const older = own.filter((backup) => !isNew(backup)).sort(newestFirst);
  const available = older.filter(({ status }) => status === 'available');
  const broken = older.filter(({ status }) => BROKEN_STATES.includes(status));
  const surplus = [...available.slice(configuration.retention - 1), ...broken];
  const removable = surplus.filter(({ has_dependent_backups }) => !has_dependent_backups);
  const rights = { remover: context.ownRemover, forcer: context.forcer };
  const removals = removable.toReversed().map((backup) => ({
    type: 'backup',
    id: backup.id,
    remove: () => beginBackupRemoval(rights, backup),
  }));
  const { leftovers } = await removeAll(context, removals, context.config.timeLimits.stepRetrySeconds * 1000);
  const [left] = leftovers;
  if (left !== undefined) return problem(left.reason);
  return removable.length < surplus.length ? KEPT_FOR_DEPENDENTS : null;
}

function isOwn({ input, projectId }: AutoBackupStepContext) {
  return ({ metadata, 'os-backup-project-attr:project_id': owner = projectId }: BackupRecord) =>
    metadata[AUTO_BACKUP_METADATA_KEY] === input.configurationId && owner === projectId;
}

/** The state of a backup whose deletion has failed. */
const BROKEN_STATES = ['error', 'error_deleting'];

/** The service returns times in seconds: the due time in the name orders backups of the same second. */
function newestFirst(a: BackupRecord, b: BackupRecord): number {
  return b.created_at.localeCompare(a.created_at) || dueIn(b).localeCompare(dueIn(a));
}

function dueIn({ name }: BackupRecord): string {
  return name?.slice(name.lastIndexOf('-') + 1) ?? '';
}

function problem(reason: string): string {
  return `The backup was created, but older ones could not be deleted: ${reason}`;
}
