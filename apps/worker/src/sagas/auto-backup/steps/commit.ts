import { defineAutoBackupStep, hasVolume } from '../saga.ts';

/** Commits the run before older backups are deleted: a rollback would leave neither them nor the new one. */
export const commitBackup = defineAutoBackupStep<Record<never, never>>({
  name: 'commit',
  when: hasVolume,
  commits: true,
  run: async () => ({}),
});
