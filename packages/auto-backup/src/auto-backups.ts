import { CronEntries, type Queues } from '@gateway/jobs';
import { DueEntries } from './due-entries.ts';
import { StandingDelegations, type StandingDelegationsParts } from './standing-delegations.ts';
import { AutoBackupStore } from './store.ts';

/** The parts of auto backups that api and worker share. */
export interface AutoBackups {
  readonly store: AutoBackupStore;
  readonly entries: DueEntries;
  readonly delegations: StandingDelegations;
}

export function createAutoBackups(parts: StandingDelegationsParts & { queues: Queues }): AutoBackups {
  const store = new AutoBackupStore(parts.redis);
  return {
    store,
    entries: new DueEntries(new CronEntries(parts.queues, 'maintenance'), store),
    delegations: new StandingDelegations(parts),
  };
}
