import type { AutoBackups } from '@gateway/auto-backup';
import type { ListCache } from '@gateway/cache';
import type { ChangeLog } from '@gateway/jobs';
import type { ActivityReader } from './activity-readers.ts';
import { autoBackupVolumes } from './readers/auto-backup-volumes.ts';
import { listeners } from './readers/listeners.ts';
import { staleLists } from './readers/stale-lists.ts';

/** The readers of requests and jobs, in their order. */
export function sharedReaders({
  autoBackups,
  cache,
  changes,
}: {
  autoBackups: AutoBackups;
  cache: ListCache;
  changes: ChangeLog;
}): ActivityReader[] {
  return [staleLists(cache), listeners(changes), autoBackupVolumes(autoBackups)];
}
