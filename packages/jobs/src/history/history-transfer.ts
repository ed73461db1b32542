import type { Redis } from '@gateway/store';
import { jobKeys } from '../keys.ts';
import { historyPageScript } from './scripts.ts';

/** The history of a project as it is stored, newest first. */
export interface StoredHistory {
  project_id: string;
  entries: StoredEntry[];
}

interface StoredEntry {
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** Parts of the entry, in their stored form; null if there is none. */
  request: string | null;
  job: string | null;
}

/** How many entries of each project move to another store, so that the file stays small. */
const MOVED_PER_PROJECT = 200;

export async function readHistories(redis: Redis): Promise<StoredHistory[]> {
  const histories: StoredHistory[] = [];
  for (const projectId of await redis.zrange(jobKeys.historyProjects, '0', '-1')) {
    const rows = (await historyPageScript.run(redis, keysOf(projectId), {
      marker: '',
      count: MOVED_PER_PROJECT,
    })) as [string, string, string, string][];
    const entries = rows.map(([id, at, request, job]) => ({
      id,
      at: Number(at),
      request: request || null,
      job: job || null,
    }));
    histories.push({ project_id: projectId, entries });
  }
  return histories;
}

/** Adds the entries that the store has not. Says for each whether it is new. */
export async function addHistory(
  redis: Redis,
  { project_id, entries }: StoredHistory,
  keepSeconds: number,
): Promise<boolean[]> {
  const { history, historyParts } = keysOf(project_id);
  const pipeline = redis.pipeline();
  for (const { id, at } of entries) pipeline.zadd(history, 'NX', at, id);
  for (const { id, request, job } of entries) {
    if (request !== null) pipeline.hsetnx(historyParts, `request:${id}`, request);
    if (job !== null) pipeline.hsetnx(historyParts, `job:${id}`, job);
  }
  for (const key of [history, historyParts]) pipeline.expire(key, keepSeconds);
  const newest = entries[0]?.at ?? 0;
  pipeline.zadd(jobKeys.historyProjects, 'GT', newest, project_id);
  const replies = (await pipeline.exec()) ?? [];
  for (const [error] of replies) if (error !== null) throw error;
  return replies.slice(0, entries.length).map(([, added]) => added === 1);
}

function keysOf(projectId: string) {
  return { history: jobKeys.history(projectId), historyParts: jobKeys.historyParts(projectId) };
}
