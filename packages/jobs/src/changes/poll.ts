import { newId } from '@gateway/core';
import { changeKeys, jobKeys } from '../keys.ts';
import { type ChangeLog, listName } from './change-log.ts';
import { applyRowsScript, beginPollScript, endPollScript } from './scripts.ts';

/** A list of a project: the rows of one type, which all members see, or one user. */
export interface WatchedList {
  projectId: string;
  type: string;
  userId: string | null;
}

/** The rows of a list by their ids: the state of each, '' for none, and further lines that are compared. */
export type Rows = ReadonlyMap<string, string>;

/** The state of the rows before a read of their list. */
export interface Observation {
  /**
   * The rows that the read has found. Returns how to report the differences, or null if there are none. Drop
   * the lists that have these rows first, so that a read which follows an event sees the change.
   */
  compare(rows: Rows): (() => Promise<void>) | null;
}

/** A poll that no other process takes at the same time. */
export interface Poll {
  /** `nextMs`: when the next poll is due. Returns whether it is due at once, because of a write meanwhile. */
  end(nextMs: number): Promise<boolean>;
}

/** Longer than any read of a list takes. A process that has died delays the others for no longer. */
const LOCK_MS = 30_000;
/** When to try again while another process polls. */
const BUSY_MS = 1_000;
/** The field that a hash of known rows has even if the list is empty. */
const COMPLETE = '';

/**
 * Begins a poll of a list, if one is due; else returns the milliseconds until then, or null if nobody
 * listens.
 */
export async function beginPoll(log: ChangeLog, list: WatchedList): Promise<Poll | number | null> {
  const { projectId, type, userId } = list;
  const ofList = { list: listName(type, userId), holder: newId() };
  const keys = { listening: jobKeys.listening(projectId), lock: jobKeys.pollLock(projectId, ofList.list) };
  const [wait, touched] = (await beginPollScript.run(log.redis, keys, {
    ...ofList,
    lockMs: LOCK_MS,
    busyMs: BUSY_MS,
  })) as [number, string];
  if (wait !== 0) return wait < 0 ? null : wait;
  const { keepSeconds } = log.options;
  const known = jobKeys.knownRows(projectId, ofList.list);
  return {
    async end(nextMs) {
      const args = { ...ofList, touched, nextMs, keepSeconds };
      return (await endPollScript.run(log.redis, { ...keys, known }, args)) === 1;
    },
  };
}

/** Call it before the list is read: a row that changes afterwards is left to the next observation. */
export async function observe(log: ChangeLog, list: WatchedList): Promise<Observation> {
  const { projectId, type, userId } = list;
  const known = jobKeys.knownRows(projectId, listName(type, userId));
  const before = await log.redis.hgetall(known);
  return {
    compare(rows) {
      const isFirst = !Object.hasOwn(before, COMPLETE);
      const differences = differencesOf(before, rows);
      if (differences.length === 0 && !isFirst) return null;
      return async () => {
        await applyRowsScript.run(
          log.redis,
          { ...changeKeys(projectId), causePrefix: jobKeys.changeCause(projectId, ''), known },
          {
            project: projectId,
            type,
            user: userId ?? '',
            isFirst,
            keepSeconds: log.options.keepSeconds,
            rows: JSON.stringify(differences),
          },
        );
      };
    },
  };
}

/** Id, value before, value now; '' for a row that is not there. */
function differencesOf(before: Readonly<Record<string, string>>, rows: Rows): [string, string, string][] {
  const differences: [string, string, string][] = [];
  for (const [id, state] of rows) {
    const value = Object.hasOwn(before, id) ? (before[id] ?? '') : '';
    if (value !== `=${state}`) differences.push([id, value, `=${state}`]);
  }
  for (const [id, value] of Object.entries(before)) {
    if (id !== COMPLETE && !rows.has(id)) differences.push([id, value, '']);
  }
  return differences;
}
