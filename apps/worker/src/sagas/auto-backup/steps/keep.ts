import { defineAutoBackupStep, hasVolume } from '../saga.ts';

/** Commits the run before older backups are deleted: a rollback would leave neither them nor the new one. */
export const keepBackup = defineAutoBackupStep<Record<never, never>>({
  name: 'keep',
  when: hasVolume,
  commits: true,
  run: async () => ({}),
});
