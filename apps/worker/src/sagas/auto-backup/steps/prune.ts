import { GatewayError, toMilliseconds } from '@gateway/core';
import { beginBackupRemoval, removeBackup } from '@gateway/inventory';
import type { BackupRecord } from '@gateway/openstack';
import { requireState } from '../../../saga/index.ts';
import { removeAll } from '../../resources/remove-all.ts';
import { parking, removalOptions } from '../../resources/wait-options.ts';
import { type Chain, chainsOf, isBroken, splitChains } from '../chains.ts';
import { type AutoBackupStepContext, announce, defineAutoBackupStep, hasVolume, isOwn } from '../saga.ts';

const KEPT_FOR_DEPENDENTS = 'Older backups were kept because incremental backups depend on them.';

/**
 * Deletes the oldest chains of this configuration beyond its retention, and backups whose deletion has failed
 * in the service, from which nothing can be restored. Never deletes another backup. A failure does not fail
 * the run: the new backup is there, and the next run tries again.
 */
export const pruneBackups = defineAutoBackupStep<{ pruneProblem: string | null }>({
  name: 'prune',
  beginUpdate: announce('BACKUPS_PRUNING', 'Older backups beyond the retention are being deleted.'),
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
  const newId = requireState(context, 'backupId');
  const { kept, surplus } = splitChains(chainsOf(own, newId), configuration.retention);
  const broken = kept.flat().filter((backup) => isBroken(backup) && backup.id !== newId);
  const problems: string[] = [];
  for (const chain of [...surplus, ...broken.map((backup) => [backup])]) {
    const holder = chain.find(holdsChain);
    const left = holder === undefined ? await deleteChain(context, chain) : whyHeld(context, holder);
    if (left !== null) problems.push(left);
  }
  return problems[0] ?? null;
}

/**
 * Deletes the backups of a chain, the latest first: the service deletes none on which another one builds that
 * is not gone. Returns why some are left; null if none are.
 */
async function deleteChain(context: AutoBackupStepContext, chain: Chain): Promise<string | null> {
  if (chain.at(-1)?.has_dependent_backups === true) return KEPT_FOR_DEPENDENTS;
  const rights = { remover: context.ownRemover, forcer: context.forcer };
  const { backupSeconds, stepRetrySeconds } = context.config.timeLimits;
  for (const [index, backup] of chain.toReversed().entries()) {
    const isLast = index === chain.length - 1;
    // An earlier run has begun its deletion.
    if (isLast && backup.status === 'deleting') return whyHeld(context, backup);
    const remove = () =>
      isLast
        ? beginBackupRemoval(rights, backup)
        : removeBackup(rights, backup.id, removalOptions(parking(context), 'backup', backupSeconds));
    const removal = { type: 'backup', id: backup.id, remove };
    const { leftovers } = await removeAll(context, [removal], stepRetrySeconds * 1000);
    if (leftovers[0] !== undefined) return problem(leftovers[0].reason);
  }
  return null;
}

/**
 * Whether its chain is left to a later run, for example because it is being restored. A backup without a time
 * of its creation may be the newest.
 */
function holdsChain(backup: BackupRecord): boolean {
  return backup.created_at === '' || !(isBroken(backup) || ['available', 'deleting'].includes(backup.status));
}

/** Null while the state of the backup can still end by itself. */
function whyHeld({ config }: AutoBackupStepContext, backup: BackupRecord): string | null {
  if (backup.created_at === '') return problem(`the service does not say when ${backup.id} was created.`);
  const since = toMilliseconds(backup.updated_at ?? backup.created_at);
  const isPassing = since !== null && Date.now() - since < config.timeLimits.backupSeconds * 1000;
  return isPassing ? null : problem(`the state of ${backup.id} is ${backup.status}, and does not end.`);
}

function problem(reason: string): string {
  return `The backup was created, but older ones could not be deleted: ${reason}`;
}
