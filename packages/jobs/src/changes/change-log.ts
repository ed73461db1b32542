import { isRedisUnavailable, type Redis } from '@gateway/store';
import { changeKeys, jobKeys } from '../keys.ts';
import { listenScript, reportScript } from './scripts.ts';

/** What a write has done to a list of a project. */
export interface ReportedChange {
  /**
   * `changing` and `touched`: rows of the list may have changed in a way that only a poll can find. The row
   * with the id is reported after `touched` whatever its state, and after `changing` if its state differs.
   */
  kind: 'created' | 'deleted' | 'changing' | 'touched';
  /** The type of the list's rows. */
  type: string;
  /** The only user who sees the row; null for all members of the project. */
  userId?: string | null;
  /** The row that was created, deleted or changed; null if it is not known which one. */
  id?: string | null;
  /** Of a row that was created; null for none. */
  state?: string | null;
}

export interface ChangeReport {
  projectId: string;
  changes: readonly ReportedChange[];
  /** The job that has made the changes. */
  jobId?: string | null;
}

export interface ChangeLogOptions {
  /** How many entries the log of a project keeps. */
  length: number;
  /** How long changes are logged after the last listener has left. */
  keepSeconds: number;
}

/** Reports that are repeated after an outage of the store. Later ones are lost: polls find most of them. */
const MAX_PENDING = 10_000;
/** How long this process may not notice that somebody listens to a project. */
const LISTENED_MS = 5_000;

/** The logs of what changes in projects. A project has one while somebody listens. See decision 130. */
export class ChangeLog {
  readonly redis: Redis;
  readonly options: ChangeLogOptions;
  /** What could not be reported, oldest first. */
  readonly #pending: ChangeReport[] = [];
  #listened: ReadonlySet<string> = new Set();
  #listenedAt = Number.NEGATIVE_INFINITY;

  constructor(redis: Redis, options: ChangeLogOptions) {
    this.redis = redis;
    this.options = options;
    redis.on('ready', () => void this.#reportPending());
  }

  /**
   * Reports what a write has changed. Call it after the lists were dropped, so that a read which follows an
   * event sees the change. While the store is unavailable, the report is kept and repeated.
   */
  async report(report: ChangeReport): Promise<void> {
    if (report.changes.length === 0) return;
    if (this.#pending.length >= MAX_PENDING) return;
    this.#pending.push(report);
    await this.#reportPending();
  }

  /** Whether somebody listens to the project, or did a short time ago. Lags behind by some seconds. */
  isListened(projectId: string): boolean {
    const now = performance.now();
    if (now - this.#listenedAt > LISTENED_MS) {
      this.#listenedAt = now;
      void this.#readListened();
    }
    return this.#listened.has(projectId);
  }

  /**
   * Logs the changes of a project from now on, until `keepSeconds` have passed since the last call.
   * @returns the newest position, and whether the log has an entry at `position`
   */
  async listen(projectId: string, position = ''): Promise<{ newest: string; isFound: boolean }> {
    const keys = {
      listening: jobKeys.listening(projectId),
      changes: jobKeys.changes(projectId),
      listenedProjects: jobKeys.listenedProjects,
    };
    const args = { project: projectId, position, ...this.options };
    const [newest, found] = (await listenScript.run(this.redis, keys, args)) as [string, number];
    return { newest, isFound: found === 1 };
  }

  /** One after the other, so that listeners learn of changes in their order. */
  async #reportPending(): Promise<void> {
    const reports = this.#pending.splice(0);
    while (reports.length > 0) {
      const [report] = reports;
      try {
        if (report !== undefined) await this.#send(report);
        reports.shift();
      } catch (error) {
        this.#pending.unshift(...reports);
        if (isRedisUnavailable(error)) return;
        this.#pending.shift();
        throw error;
      }
    }
  }

  async #send({ projectId, changes, jobId = null }: ChangeReport): Promise<void> {
    const items = changes.map(({ kind, type, userId = null, id = null, state = null }) => ({
      kind,
      type,
      list: listName(type, userId),
      user: userId ?? '',
      id: id ?? '',
      state: state ?? '',
    }));
    const keys = {
      ...changeKeys(projectId),
      causePrefix: jobKeys.changeCause(projectId, ''),
      known: items.map(({ list }) => jobKeys.knownRows(projectId, list)),
    };
    await reportScript.run(this.redis, keys, {
      project: projectId,
      cause: jobId ?? '',
      items: JSON.stringify(items),
    });
  }

  async #readListened(): Promise<void> {
    try {
      this.#listened = new Set(await this.redis.zrangebyscore(jobKeys.listenedProjects, Date.now(), '+inf'));
    } catch (error) {
      if (!isRedisUnavailable(error)) throw error;
    }
  }
}

/** The name of a list among those of a project. Rows that only one user sees have a list of their own. */
export function listName(type: string, userId: string | null = null): string {
  return userId === null ? type : `${type}:${userId}`;
}
