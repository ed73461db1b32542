import { conflict } from '@gateway/core';
import { nullIfNotFound } from '../errors/index.ts';
import type { BackupRecord, Backups } from './backups.ts';
import type { VolumeRecord, Volumes } from './volumes.ts';

interface BackupReaders {
  readonly blockStorage: {
    readonly backups: Pick<Backups, 'isEncrypted'>;
    readonly volumes: Pick<Volumes, 'get'>;
  };
}

/**
 * The type that a volume needs to get the content of the backup; null for any type. Encrypted content fits
 * only volumes of the same type: the service writes it to others, too, and fails at the end.
 *
 * @param target the volume to overwrite; null for a new one
 * @throws 409 if the target has another type, and if the type of a new volume is not known
 */
export async function typeOfBackup(
  { blockStorage }: BackupReaders,
  backup: BackupRecord,
  target: VolumeRecord | null,
): Promise<string | null> {
  const { volume_id } = backup;
  const source = volume_id === target?.id ? target : await readSource(blockStorage, volume_id);
  if (source === null && target === null && (await blockStorage.backups.isEncrypted(backup.id))) {
    throw conflict(
      'unsuitable',
      'The backup is encrypted, and its volume does not exist any more: create a volume of the type that it had, and restore the backup over that.',
    );
  }
  if (source?.encrypted !== true) return null;
  if (target !== null && target.volume_type !== source.volume_type) {
    throw conflict(
      'unsuitable',
      `The volume cannot be overwritten: the backup is encrypted, so its type has to be ${source.volume_type}.`,
    );
  }
  return source.volume_type || null;
}

async function readSource(
  { volumes }: BackupReaders['blockStorage'],
  volumeId: string,
): Promise<VolumeRecord | null> {
  return volumeId === '' ? null : nullIfNotFound(volumes.get(volumeId));
}
