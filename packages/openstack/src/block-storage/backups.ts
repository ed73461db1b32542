import { BasicCollection } from '../collection.ts';
import { UpstreamError } from '../errors/index.ts';
import type { ServiceClient } from '../service.ts';
import type { VolumeCopyCreate, VolumeCopyRecord } from './volume-copy.ts';

/** `status` is `creating`, `available`, `restoring`, `deleting`, `error`, … */
export interface BackupRecord extends VolumeCopyRecord {
  snapshot_id: string | null;
  is_incremental: boolean;
  /** Incremental backups build on this backup, so it cannot be deleted. */
  has_dependent_backups: boolean;
  /** When the saved content was that of the volume. The latest one is the base of an incremental backup. */
  data_timestamp: string;
  fail_reason: string | null;
  /** Visible to administrators only; others list only the backups of their own project. */
  'os-backup-project-attr:project_id'?: string;
}

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
type CreatedBackup = Pick<BackupRecord, 'id' | 'name'>;

interface RestoreTarget {
  /**
   * An available volume, whose content is overwritten. Without this field the service creates a
   * volume before it responds.
   */
  volume_id?: string;
  /** Name of the new volume. */
  name?: string;
}

export interface RestoredBackup {
  backup_id: string;
  volume_id: string;
  volume_name: string | null;
}

/** A backup cannot be removed while incremental backups depend on it. */
export class Backups extends BasicCollection<BackupRecord, BackupCreate, BackupQuery, CreatedBackup> {
  constructor(blockStorage: ServiceClient) {
    super(blockStorage, {
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

  /** Starts the restore. The volume is `restoring-backup` until the restore has ended. */
  restore(id: string, restore: RestoreTarget): Promise<RestoredBackup> {
    return this.service.postRecord('backups.restore', `${this.pathOf(id)}/restore`, 'restore', { restore });
  }
}
