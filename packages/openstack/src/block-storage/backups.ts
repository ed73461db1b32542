import { BasicCollection } from '../collection.ts';
import { UpstreamError } from '../errors/index.ts';
import { flag, flagOrNull, idOrNull, key, text } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { type VolumeCopyCreate, volumeCopyFields } from './volume-copy.ts';

/** `status` is `creating`, `available`, `restoring`, `deleting`, `error`, … */
const backupRecord = declareRecord('blockStorage', 'backup', {
  ...volumeCopyFields,
  /** Null if the service does not say it: then the backup may need the one before. */
  is_incremental: flagOrNull(),
  /** Incremental backups build on this backup, so it cannot be deleted. */
  has_dependent_backups: flag(false),
  /** When the saved content was that of the volume. The latest one is the base of an incremental backup. */
  data_timestamp: text(),
  /** Visible to administrators only; others list only the backups of their own project. */
  'os-backup-project-attr:project_id': idOrNull(),
});

export type BackupRecord = RecordOf<typeof backupRecord>;

/** Only administrators can filter by metadata. */
type BackupQuery = {
  /** Exact match. */
  name?: string;
  status?: string;
  volume_id?: string;
  /** For administrators: 1 lists all projects. */
  all_tenants?: 1;
  /** With `all_tenants`. */
  project_id?: string;
};

export interface BackupCreate extends VolumeCopyCreate {
  /** Saves only the changes since the volume's latest backup in the project, which must be available. */
  incremental?: boolean;
}

/** The response to a create request has no other fields. */
const createdBackup = backupRecord.only(['id', 'name']);

type CreatedBackup = RecordOf<typeof createdBackup>;

interface RestoreTarget {
  /**
   * An available volume, whose content is overwritten. Without this field the service creates a
   * volume before it responds.
   */
  volume_id?: string;
  /** Name of the new volume. */
  name?: string;
}

const restoredBackup = declareRecord('blockStorage', 'restored_backup', {
  backup_id: text(),
  volume_id: key(),
  volume_name: text(),
});

export type RestoredBackup = RecordOf<typeof restoredBackup>;

/** A backup cannot be removed while incremental backups depend on it. */
export class Backups extends BasicCollection<BackupRecord, BackupCreate, BackupQuery, CreatedBackup> {
  constructor(blockStorage: ServiceClient) {
    super(blockStorage, {
      record: backupRecord,
      created: createdBackup,
      plural: 'backups',
      singular: 'backup',
      noun: 'backups',
      path: '/backups',
      listPath: '/backups/detail',
    });
  }

  /** Whether the volume was encrypted; false in a cloud that does not say so yet (before 3.64). */
  async isEncrypted(id: string): Promise<boolean> {
    try {
      const { backup } = await this.service.requestJson<{ backup?: { encryption_key_id?: string | null } }>(
        'GET',
        'backups.getEncryption',
        this.pathOf(id),
        { microversion: '3.64' },
      );
      return Boolean(backup?.encryption_key_id);
    } catch (error) {
      if (error instanceof UpstreamError && error.upstreamStatus === 406) return false;
      throw error;
    }
  }

  /** Deletes a backup in any state; for administrators. */
  forceDelete(id: string): Promise<void> {
    return this.service.requestVoid('POST', 'backups.forceDelete', `${this.pathOf(id)}/action`, {
      body: { 'os-force_delete': {} },
      isDelete: true,
    });
  }

  /** Whether a backup that was read by its id is one of the project. */
  belongsTo(projectId: string, backup: BackupRecord): Promise<boolean> {
    return this.service.isOfProject(backup['os-backup-project-attr:project_id'], projectId);
  }

  /** Starts the restore. The volume is `restoring-backup` until the restore has ended. */
  restore(id: string, restore: RestoreTarget): Promise<RestoredBackup> {
    const url = `${this.pathOf(id)}/restore`;
    return this.service.postRecord('backups.restore', url, 'restore', restoredBackup, { restore });
  }
}
