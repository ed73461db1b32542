import { fromStored, storedForms, toStored } from '@gateway/core';

type RunStatus = 'ok' | 'failed' | 'skipped';

/** An auto backup of a volume. Times are in milliseconds since the epoch. */
export interface AutoBackup extends AutoBackupSettings {
  id: string;
  projectId: string;
  volumeId: string;
  /** The user who configured it last. */
  userId: string;
  /** Increases with each change of the configuration. */
  version: number;
  createdAt: number;
  updatedAt: number;
  /** Due times up to this time have been handled. */
  handledUntil: number;
  /** False while it is paused: nothing runs when it is due. */
  enabled: boolean;
  /** When the volume was first found to be missing; null while it exists. */
  missingSince: number | null;
  /** The latest recorded outcome; null before the first. */
  last: RunOutcome | null;
  /** When a run last ended well; null before the first. */
  lastOkAt: number | null;
  /** The encrypted delegation that its runs use. */
  sealedDelegation: string;
}

export interface AutoBackupSettings {
  /** Cron expression of five fields, in UTC. */
  schedule: string;
  /** Number of backups of this configuration that are kept, and more while they depend on each other. */
  retention: number;
  prefix: string;
  /** Of this many backups in a row, the first is full and the others are incremental; 1 if all are full. */
  fullEvery: number;
}

export interface RunOutcome {
  status: RunStatus;
  /** For people; null when all went well. */
  error: string | null;
  at: number;
}

type Hash = Record<string, string>;

/** The fields that a change of the configuration writes. The script adds `createdAt` and `version`. */
export function toHash(
  settings: Omit<AutoBackup, 'id' | 'version' | 'createdAt' | 'missingSince' | 'last' | 'lastOkAt'>,
): Hash {
  return toStored(storedForms.autoBackup, {
    projectId: settings.projectId,
    volumeId: settings.volumeId,
    userId: settings.userId,
    schedule: settings.schedule,
    retention: String(settings.retention),
    prefix: settings.prefix,
    fullEvery: String(settings.fullEvery),
    updatedAt: String(settings.updatedAt),
    handledUntil: String(settings.handledUntil),
    enabled: settings.enabled ? '1' : '0',
    delegation: settings.sealedDelegation,
  });
}

/** Null for the hash of a record that does not exist. */
export function fromHash(stored: Hash): AutoBackup | null {
  if (stored.id === undefined) return null;
  const hash = fromStored(storedForms.autoBackup, stored);
  return {
    id: stored.id,
    projectId: hash.projectId ?? '',
    volumeId: hash.volumeId ?? '',
    userId: hash.userId ?? '',
    schedule: hash.schedule ?? '',
    retention: Number(hash.retention),
    prefix: hash.prefix ?? '',
    fullEvery: Number(hash.fullEvery),
    version: Number(hash.version),
    createdAt: Number(hash.createdAt),
    updatedAt: Number(hash.updatedAt),
    handledUntil: Number(hash.handledUntil),
    enabled: hash.enabled === '1',
    missingSince: hash.missingSince ? Number(hash.missingSince) : null,
    last: hash.lastStatus
      ? { status: hash.lastStatus as RunStatus, error: hash.lastError || null, at: Number(hash.lastRunAt) }
      : null,
    lastOkAt: hash.lastOkAt ? Number(hash.lastOkAt) : null,
    sealedDelegation: hash.delegation ?? '',
  };
}
