import { nullIfNotFound } from '@gateway/openstack';
import { canContinueChain } from '../chains.ts';
import { defineAutoBackupStep, isOwn, type Subject } from '../saga.ts';

/**
 * Reads the volume with whichever rights still work. A deleted volume ends its configuration, whoever set it
 * up. Decides whether the backup is incremental: after a failed run it is full, because an incremental one
 * may have been refused for a reason that only the service knows.
 */
export const lookUp = defineAutoBackupStep<{ subject: Subject }>({
  name: 'look-up',
  onRepeat: 'idempotent',
  async run(context) {
    const { configuration, input, owner, remover } = context;
    const found = await configuration();
    if (found === null) return { subject: { kind: 'configuration is gone' } };
    const volume = await nullIfNotFound(remover().blockStorage.volumes.get(input.volumeId));
    if (volume === null) return { subject: { kind: 'volume is gone' } };
    const backupName = nameOf(found.prefix, input);
    if (found.fullEvery === 1 || found.last?.status === 'failed')
      return { subject: { kind: 'volume', backupName } };
    const backups = await owner().blockStorage.backups.list({ volume_id: volume.id });
    const isIncremental = canContinueChain(backups, {
      isOwn: isOwn(context),
      fullEvery: found.fullEvery,
      volumeSizeGb: volume.size,
    });
    return { subject: { kind: 'volume', backupName, isIncremental } };
  },
});

const SHORT_ID_LENGTH = 8;

/** `<prefix>-<start of the volume's id>-<YYYYMMDDHHMM of the due time>` */
function nameOf(prefix: string, { volumeId, due }: { volumeId: string; due: number }): string {
  const minute = new Date(due).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length).replace(/\D/g, '');
  return `${prefix}-${volumeId.slice(0, SHORT_ID_LENGTH)}-${minute}`;
}
