import { formatStored, newId, storedForms } from '@gateway/core';
import type { Redis } from '@gateway/store';
import { jobKeys } from '../keys.ts';
import { type HistoryLimits, historyArgs, historyKeys } from './append-history.ts';
import {
  type HistoryEntry,
  type HistoryOutcome,
  type HistoryRequest,
  historyJobId,
  historyOutcome,
  historyResources,
  isPersonal,
  namesInEntry,
  parseHistoryJob,
  parseHistoryRequest,
} from './history-entry.ts';
import { historyPageScript, recordRequestScript } from './scripts.ts';

interface HistoryFilter {
  resourceId?: string;
  jobId?: string;
  userId?: string;
  outcome?: HistoryOutcome;
}

interface HistoryPageRequest extends HistoryFilter {
  projectId: string;
  /** Who reads: personal entries of others are left out. Undefined for an administrator. */
  readerId: string | undefined;
  limit: number;
  /** Id of the last entry of the previous page. */
  marker?: string;
}

interface HistoryLogOptions {
  redis: Redis;
  /** Read each time, because they can change. */
  limits: HistoryLimits;
  clock: { now(): number };
}

/** How many entries are read at once when some of them are filtered out. */
const LARGE_BATCH = 250;
/** How many entries are searched for names. */
const MAX_SEARCHED = 2_000;

/**
 * What the members of a project have done, and how it ended. Bounded in number and age. Jobs add to it when
 * they end (`appendJobHistory`).
 */
export class HistoryLog {
  readonly #options: HistoryLogOptions;

  constructor(options: HistoryLogOptions) {
    this.#options = options;
  }

  async record(projectId: string, request: HistoryRequest): Promise<void> {
    if (this.#options.limits.maxRecords === 0) return;
    await recordRequestScript.run(this.#options.redis, historyKeys(projectId), {
      id: request.jobId ?? newId(),
      project: projectId,
      request: formatStored(storedForms.historyRequest, request),
      // The end of a job says how it has ended.
      isSuccessful: request.status < 400 || request.jobId !== null ? '1' : '0',
      ...historyArgs(this.#options.limits),
    });
  }

  /** One page, newest first. Null when the marker is not in the history. */
  async read(request: HistoryPageRequest): Promise<{ entries: HistoryEntry[]; hasMore: boolean } | null> {
    const { projectId, limit, marker = '', readerId, ...filter } = request;
    const isFiltered = Object.values(filter).some((value) => value !== undefined);
    const oldest = this.#options.clock.now() - this.#options.limits.keepSeconds * 1000;
    const found: HistoryEntry[] = [];
    for (let after = marker; ; ) {
      const wanted = limit + 1 - found.length;
      const batch = isFiltered ? Math.max(wanted, LARGE_BATCH) : wanted;
      const entries = await this.#batch(projectId, after, batch);
      // Only the caller's marker can be unknown: otherwise all older entries have been removed, too.
      if (entries === null) return after === marker ? null : { entries: found, hasMore: false };
      const kept = entries.filter(({ at }) => at >= oldest);
      found.push(...kept.filter((entry) => isVisibleTo(readerId, entry) && matches(entry, filter)));
      if (found.length > limit) return { entries: found.slice(0, limit), hasMore: true };
      const last = kept.at(-1);
      if (last === undefined || kept.length < batch) return { entries: found, hasMore: false };
      after = last.id;
    }
  }

  /**
   * The latest names that entries older than the marker give to these ids, as far as the last 2,000 of them
   * have any.
   */
  async namesBefore(
    { projectId, marker, readerId }: Pick<HistoryPageRequest, 'projectId' | 'readerId'> & { marker: string },
    ids: ReadonlySet<string>,
  ): Promise<Map<string, string>> {
    const names = new Map<string, string>();
    let after = marker;
    for (let searched = 0; searched < MAX_SEARCHED && names.size < ids.size; searched += LARGE_BATCH) {
      const entries = (await this.#batch(projectId, after, LARGE_BATCH)) ?? [];
      const visible = entries.filter((entry) => isVisibleTo(readerId, entry));
      for (const [id, name] of visible.flatMap(namesInEntry))
        if (ids.has(id) && !names.has(id)) names.set(id, name);
      const last = entries.at(-1);
      if (last === undefined || entries.length < LARGE_BATCH) break;
      after = last.id;
    }
    return names;
  }

  async #batch(projectId: string, marker: string, count: number): Promise<HistoryEntry[] | null> {
    const keys = { history: jobKeys.history(projectId), historyParts: jobKeys.historyParts(projectId) };
    const rows = await historyPageScript.run(this.#options.redis, keys, { marker, count });
    return (rows as [string, string, string, string][] | null)?.map(toEntry) ?? null;
  }
}

function toEntry([id, at, request, job]: [string, string, string, string]): HistoryEntry {
  return {
    id,
    // The fraction of a millisecond is for the order of the entries alone.
    at: Math.floor(Number(at)),
    request: request === '' ? null : parseHistoryRequest(request),
    job: job === '' ? null : parseHistoryJob(job),
  };
}

function isVisibleTo(readerId: string | undefined, entry: HistoryEntry): boolean {
  return readerId === undefined || !isPersonal(entry) || entry.request?.userId === readerId;
}

function matches(entry: HistoryEntry, { resourceId, jobId, userId, outcome }: HistoryFilter): boolean {
  const resources = historyResources(entry);
  return (
    (resourceId === undefined || resources.includes(resourceId)) &&
    // The cancellation of a job names it in its path.
    (jobId === undefined || historyJobId(entry) === jobId || resources.includes(jobId)) &&
    (userId === undefined || (entry.request ?? entry.job)?.userId === userId) &&
    (outcome === undefined || historyOutcome(entry) === outcome)
  );
}
