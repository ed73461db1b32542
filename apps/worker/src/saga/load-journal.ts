import { CLOCK_TOLERANCE_MS } from '@gateway/core';
import type { JournalEntry, JournalState } from './journal.ts';
import { isRecordGone } from './journal-state.ts';
import type { SagaRun } from './saga.ts';

/**
 * Loads the journal, and corrects times in it that lie further ahead than a worker with the right clock sets
 * them. A worker whose clock was ahead wrote them. Waits and time limits that count from them would last
 * longer by the difference. The clock of the store decides: that of this worker may be behind.
 */
export async function loadJournal<Context, State extends object>({
  journal,
  lateCallMs,
}: SagaRun<Context, State>): Promise<JournalState> {
  const loaded = await journal.load();
  const isAhead = [...loaded.steps.values()].some(
    (entry) => correctTimes(entry, lateCallMs, Date.now()) !== null,
  );
  if (!isAhead) return loaded;
  const now = await journal.storeTime();
  for (const [step, entry] of loaded.steps) {
    const corrected = correctTimes(entry, lateCallMs, now);
    if (corrected === null) continue;
    loaded.steps.set(step, corrected);
    await isRecordGone(journal.write(step, corrected));
  }
  return loaded;
}

/** Null if the entry has no wrong time. */
function correctTimes(entry: JournalEntry, lateCallMs: number, now: number): JournalEntry | null {
  const { at = 0, lateUntil = 0, undoingSince = 0 } = entry;
  const latest = now + lateCallMs;
  if (Math.max(at, lateUntil, undoingSince) <= latest + CLOCK_TOLERANCE_MS) return null;
  return {
    ...entry,
    ...(at > now && { at: now }),
    ...(lateUntil > latest && { lateUntil: latest }),
    ...(undoingSince > now && { undoingSince: now }),
  };
}
