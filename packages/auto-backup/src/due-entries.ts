import type { CronEntries, ScheduledEntry } from '@gateway/jobs';
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
   * wrong. One that cannot be checked, such as that of a record which only a newer release can read, is left
   * to the next time.
   */
  async reconcile(
    configurationIds: readonly string[],
    onError: (error: unknown, id: string) => void,
  ): Promise<string[]> {
    const existing = await this.#entries.list(SCHEDULER_PREFIX);
    const without = [...existing.keys()].map((scheduler) => scheduler.slice(SCHEDULER_PREFIX.length));
    const changed: string[] = [];
    for (const id of new Set([...configurationIds, ...without])) {
      try {
        if (await this.#correct(id, existing.get(schedulerOf(id)))) changed.push(id);
      } catch (error) {
        onError(error, id);
      }
    }
    return changed;
  }

  /** Returns whether the entry was wrong. */
  async #correct(id: string, entry: ScheduledEntry | undefined): Promise<boolean> {
    const record = await this.#store.read(id);
    const isWanted = record?.enabled === true;
    const isCurrent = isWanted
      ? entry?.pattern === record.schedule && (await this.#entries.hasNext(schedulerOf(id), entry))
      : entry === undefined;
    // A configuration may have been written since.
    if (!isCurrent) await this.update(id);
    return !isCurrent;
  }
}

const SCHEDULER_PREFIX = 'auto-backup.';

function schedulerOf(configurationId: string): string {
  return `${SCHEDULER_PREFIX}${configurationId}`;
}
