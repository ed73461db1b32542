import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { isTransient } from './errors/index.ts';

/** Reads with the rights of one caller. */
export interface ReadSource<T> {
  get(id: string): Promise<T>;
  /** At least these; a list may contain all resources of this kind in the caller's project. */
  list(ids: readonly string[]): Promise<T[]>;
}

/** All resources of one kind in the caller's project. */
export interface ProjectResources<T> {
  get(id: string): Promise<T>;
  list(): Promise<T[]>;
}

export function readSourceOf<T>(resources: ProjectResources<T>): ReadSource<T> {
  return { get: (id) => resources.get(id), list: () => resources.list() };
}

interface Waiter<T> {
  id: string;
  source: ReadSource<T>;
  resolve(record: T): void;
  reject(error: unknown): void;
}

/** The readers of one kind of resource in one project. */
interface Group {
  waiting: Waiter<unknown>[];
  /** Whether a read for all current waiters is scheduled. */
  isScheduled: boolean;
  readers: Set<SharedReader>;
  /** On the process's monotonic clock. */
  lastReadAt: number;
  /** How long the last read took that ended. */
  tookMs: number;
  /** Number of rows in the last list. */
  rows: number;
}

/**
 * The minimum interval between the reads of a group with several readers. Requests in between
 * wait for the next read.
 */
const GAP_MS = 500;
/** If the list has more than this many rows per reader, each resource is read separately. */
const MAX_ROWS_PER_READER = 50;
/** The longest interval for a service that takes longer than the minimum interval. */
const MAX_GAP_MS = 5_000;
/** The maximum number of groups; the least recently used is dropped first. */
const MAX_GROUPS = 1_000;

/**
 * Reads resources for jobs. Readers of resources of one kind and project share a list call when they ask
 * at about the same time. A read starts after each of its callers has asked, so that a caller sees its
 * own writes. The call uses the rights of one caller. The others read resources that are not in the list
 * with their own rights.
 */
export class SharedReads {
  readonly #groups = new LRUCache<string, Group>({ max: MAX_GROUPS });
  readonly #gapMs: number;

  constructor(gapMs = GAP_MS) {
    this.#gapMs = gapMs;
  }

  /** A reader for one wait or look-up. Close it afterwards. */
  reader(): SharedReader {
    return new SharedReader((name) => this.#group(name), this.#gapMs);
  }

  #group(name: string): Group {
    const group = this.#groups.get(name) ?? {
      waiting: [],
      isScheduled: false,
      readers: new Set(),
      lastReadAt: Number.NEGATIVE_INFINITY,
      tookMs: 0,
      rows: 0,
    };
    this.#groups.set(name, group);
    return group;
  }
}

class SharedReader {
  readonly #groupOf: (name: string) => Group;
  readonly #gapMs: number;
  readonly #joined = new Set<Group>();

  constructor(groupOf: (name: string) => Group, gapMs: number) {
    this.#groupOf = groupOf;
    this.#gapMs = gapMs;
  }

  /**
   * @param name the kind of resource, and what the callers that may share a read have in common
   * @throws the errors of `get`, such as a 404 when the resource does not exist
   */
  read<T extends { id: string }>(name: string, id: string, source: ReadSource<T>): Promise<T> {
    const group = this.#groupOf(name);
    group.readers.add(this);
    this.#joined.add(group);
    return new Promise<T>((resolve, reject) => {
      group.waiting.push({ id, source, resolve, reject } as Waiter<unknown>);
      if (!group.isScheduled) void readNext(group, this.#gapMs);
    });
  }

  close(): void {
    for (const group of this.#joined) group.readers.delete(this);
  }
}

/** Does not wait for the previous read: if that hangs, only its own callers wait. */
async function readNext(group: Group, gapMs: number): Promise<void> {
  group.isScheduled = true;
  // A busy service gets one read after the other instead of several beside each other.
  const intervalMs = Math.max(gapMs, Math.min(group.tookMs, MAX_GAP_MS));
  const leftMs = group.lastReadAt + intervalMs - performance.now();
  // Without a delay, callers that ask within the same turn of the event loop still share the read.
  await (leftMs > 0 && group.readers.size > 1 ? delay(leftMs) : nextTurn());
  group.isScheduled = false;
  const startedAt = performance.now();
  group.lastReadAt = startedAt;
  await answer(group, group.waiting.splice(0) as Waiter<{ id: string }>[]);
  group.tookMs = performance.now() - startedAt;
}

/** Never rejects: each caller gets its own record or error. */
async function answer(group: Group, waiters: Waiter<{ id: string }>[]): Promise<void> {
  const ids = [...new Set(waiters.map(({ id }) => id))];
  let listed = new Map<string, { id: string }>();
  const [first] = waiters;
  if (first !== undefined && waiters.length > 1 && group.rows <= ids.length * MAX_ROWS_PER_READER) {
    try {
      const rows = ids.length === 1 ? [await first.source.get(first.id)] : await first.source.list(ids);
      if (ids.length > 1) group.rows = rows.length;
      listed = new Map(rows.map((row) => [row.id, row]));
    } catch (error) {
      // For other errors, this caller has lost its rights or was cancelled, so the others read separately.
      if (isTransient(error)) {
        for (const { reject } of waiters) reject(error);
        return;
      }
    }
  }
  await Promise.all(
    waiters.map(async ({ id, source, resolve, reject }) => {
      const record = listed.get(id);
      if (record !== undefined) return resolve(record);
      await source.get(id).then(resolve, reject);
    }),
  );
}
