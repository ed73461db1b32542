import type { CronEntries } from '@gateway/jobs';
import type { AutoBackupStore } from './store.ts';

/** The name of the queue entry for a due configuration. */
export const DUE_ENTRY = 'auto-backup.due';

export interface DueEntryData {
  configurationId: string;
}

/** The recurring queue entries: one per configuration that is not paused. */
export class DueEntries {
  readonly #entries: CronEntries;
  readonly #store: AutoBackupStore;

  constructor(entries: CronEntries, store: AutoBackupStore) {
    this.#entries = entries;
    this.#store = store;
  }

  /**
   * Updates the entry of a configuration from its record. After concurrent calls the entry matches the latest
   * record.
   */
  async update(configurationId: string): Promise<void> {
    for (let written: number | null | undefined; ; ) {
      const record = await this.#store.read(configurationId);
      const version = record?.version ?? null;
      if (version === written) return;
      if (record === null || !record.enabled) await this.#entries.remove(schedulerOf(configurationId));
      else {
        const data: DueEntryData = { configurationId };
        await this.#entries.set({
          id: schedulerOf(configurationId),
          name: DUE_ENTRY,
          pattern: record.schedule,
          data,
        });
      }
      written = version;
    }
  }

  /**
   * Restores lost entries, and removes those without a configuration. Returns the ids whose entries were
   * wrong.
   */
  async reconcile(configurationIds: readonly string[]): Promise<string[]> {
    const existing = await this.#entries.list(SCHEDULER_PREFIX);
    const changed: string[] = [];
    for (const id of configurationIds) {
      const record = await this.#store.read(id);
      // The entry of a paused one is removed below, like that of one without a configuration.
      if (record?.enabled === false) continue;
      const entry = existing.get(schedulerOf(id));
      existing.delete(schedulerOf(id));
      if (record === null) continue;
      const isCurrent =
        entry?.pattern === record.schedule && (await this.#entries.hasNext(schedulerOf(id), entry));
      if (isCurrent) continue;
      await this.update(id);
      changed.push(id);
    }
    for (const scheduler of existing.keys()) {
      const id = scheduler.slice(SCHEDULER_PREFIX.length);
      // A configuration may have been written since the ids were read.
      await this.update(id);
      if ((await this.#store.read(id)) === null) changed.push(id);
    }
    return changed;
  }
}

const SCHEDULER_PREFIX = 'auto-backup.';

function schedulerOf(configurationId: string): string {
  return `${SCHEDULER_PREFIX}${configurationId}`;
}
