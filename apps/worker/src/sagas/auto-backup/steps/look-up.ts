import { nullIfNotFound } from '@gateway/openstack';
import { defineAutoBackupStep, type Subject } from '../saga.ts';

/**
 * Reads the volume with whichever rights still work. A deleted volume ends its configuration, whoever set it
 * up.
 */
export const lookUp = defineAutoBackupStep<{ subject: Subject }>({
  name: 'look-up',
  onRepeat: 'idempotent',
  async run({ configuration, input, remover }) {
    const found = await configuration();
    if (found === null) return { subject: { kind: 'configuration is gone' } };
    const volume = await nullIfNotFound(remover().blockStorage.volumes.get(input.volumeId));
    if (volume === null) return { subject: { kind: 'volume is gone' } };
    return { subject: { kind: 'volume', backupName: backupName(found.prefix, input) } };
  },
});

const SHORT_ID_LENGTH = 8;

/** `<prefix>-<start of the volume's id>-<YYYYMMDDHHMM of the due time>` */
function backupName(prefix: string, { volumeId, due }: { volumeId: string; due: number }): string {
  const minute = new Date(due).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length).replace(/\D/g, '');
  return `${prefix}-${volumeId.slice(0, SHORT_ID_LENGTH)}-${minute}`;
}
