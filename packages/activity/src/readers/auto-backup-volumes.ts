import type { AutoBackups } from '@gateway/auto-backup';
import type { ActivityReader } from '../activity-readers.ts';

/** Ends auto backups whose volume may be gone. Their next run notices it, too. */
export function autoBackupVolumes({ store }: Pick<AutoBackups, 'store'>): ActivityReader {
  return {
    problem: 'Auto backups without a volume end later',
    async written({ projectIds, resources }) {
      if (!resources.some(({ resource }) => resource === 'volume')) return;
      for (const projectId of projectIds) await store.requestVolumeCheck(projectId);
    },
  };
}
