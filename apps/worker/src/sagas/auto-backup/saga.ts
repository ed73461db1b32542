import type { AutoBackup } from '@gateway/auto-backup';
import { type AutoBackupRun, autoBackupProgress } from '@gateway/jobs';
import type { BackupRecord, BoundClient, ProjectClient } from '@gateway/openstack';
import type { Config, Logger } from '@gateway/platform';
import { announcer, defineStep, type StepContext } from '../../saga/index.ts';
import type { ResourceContext } from '../resources/resource-step.ts';

/** The input and dependencies of the steps of an auto backup's run. */
export interface AutoBackupContext extends ResourceContext {
  projectId: string;
  input: AutoBackupRun;
  config: Config;
  logger: Logger;
  /** The configuration as it is now; null when it was removed. */
  configuration(): Promise<AutoBackup | null>;
  /**
   * The cloud with the rights of the user who set up the auto backup. Calls throw when these rights are lost.
   */
  owner(): BoundClient;
  /** The same rights for removing older backups. No other rights may be used for that. */
  ownRemover(): ProjectClient;
  /** The cloud for finding and removing what the run has created, with whichever rights still work. */
  remover(): ProjectClient;
  /** The gateway's own user in the project, who may force a deletion; null if it is not an administrator. */
  forcer(): Promise<ProjectClient | null>;
}

/** What the run finds. A backup needs both the volume and its configuration. */
export type Subject =
  | { kind: 'volume'; backupName: string; isIncremental?: boolean }
  | { kind: 'volume is gone' }
  | { kind: 'configuration is gone' };

/** The results of the steps. Stored in the journal, so it contains no secrets. */
export interface AutoBackupState {
  subject: Subject;
  backupId: string;
  /** Why older backups are still there although they should not be; null when there are none. */
  pruneProblem: string | null;
}

export type AutoBackupStepContext = StepContext<AutoBackupContext, AutoBackupState>;

export const defineAutoBackupStep = defineStep<AutoBackupContext, AutoBackupState>();

/** The progress update of a step's beginning. */
export const announce = announcer(autoBackupProgress);

export function hasVolume({ state }: AutoBackupStepContext): boolean {
  return state.subject?.kind === 'volume';
}

/** The backups of the volume that runs of the configuration have made. */
export function isOwn({ input, projectId }: AutoBackupStepContext): (backup: BackupRecord) => boolean {
  return (backup) =>
    backup.metadata?.[AUTO_BACKUP_METADATA_KEY] === input.configurationId &&
    (backup['os-backup-project-attr:project_id'] ?? projectId) === projectId;
}

/** Metadata of a backup: the configuration that it belongs to. */
export const AUTO_BACKUP_METADATA_KEY = 'gateway_auto_backup_id';
