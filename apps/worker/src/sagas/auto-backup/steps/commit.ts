import { defineAutoBackupStep, hasVolume } from '../saga.ts';

/**
 * Commits the run before older backups are deleted: after a rollback neither they nor the new one would
 * exist.
 */
export const commitBackup = defineAutoBackupStep<Record<never, never>>({
  name: 'commit',
  when: hasVolume,
  commits: true,
  run: async () => ({}),
});
