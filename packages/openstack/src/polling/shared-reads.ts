import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { isTransient } from '../errors/index.ts';

/** How one caller reads: with its own rights. */
export interface ReadSource<T> {
  get(id: string): Promise<T>;
  /** All that belong to the caller's project. */
  list(): Promise<T[]>;
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
  /** Whether a read is due that takes all who wait now. */
  isScheduled: boolean;
  readers: Set<SharedReader>;
  /** On the process's monotonic clock. */
  lastReadAt: number;
  /** Rows of the last list. */
  rows: number;
}

/** The least time between the reads of a group that has several readers. Who asks meanwhile takes part in the next. */
const GAP_MS = 500;
/** Each resource is read by itself if the list is more than this many times longer than the number of them. */
const MAX_ROWS_PER_READER = 50;
/** Groups whose length is remembered, the least recently used goes first. */
const MAX_GROUPS = 1_000;

/**
 * Reads resources for waits. Readers of resources of one kind and project share a list call when they ask at about the same
 * time. A read begins after each of its callers has asked, so that a caller sees its own writes. The call uses the rights of
 * one of the callers; what the list does not have, the others read with their own.
 */
export class SharedReads {
  readonly #groups = new LRUCache<string, Group>({ max: MAX_GROUPS });
  readonly #gapMs: number;

  constructor(gapMs = GAP_MS) {
    this.#gapMs = gapMs;
  }

  /** For one wait. Close it afterwards. */
  reader(): SharedReader {
    return new SharedReader((name) => this.#group(name), this.#gapMs);
  }

  #group(name: string): Group {
    const group = this.#groups.get(name) ?? {
      waiting: [],
      isScheduled: false,
      readers: new Set(),
      lastReadAt: Number.NEGATIVE_INFINITY,
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
   * @param name the kind of resource and the project
   * @throws what `get` throws, as a 404 when there is no such resource
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

/** Does not wait for the read before: one that hangs keeps only those who take part in it. */
async function readNext(group: Group, gapMs: number): Promise<void> {
  group.isScheduled = true;
  const leftMs = group.lastReadAt + gapMs - performance.now();
  if (leftMs > 0 && group.readers.size > 1) await delay(leftMs);
  group.isScheduled = false;
  group.lastReadAt = performance.now();
  await answer(group, group.waiting.splice(0) as Waiter<{ id: string }>[]);
}

/** Never rejects: each caller gets its own record or error. */
async function answer(group: Group, waiters: Waiter<{ id: string }>[]): Promise<void> {
  const { size } = new Set(waiters.map(({ id }) => id));
  let listed = new Map<string, { id: string }>();
  if (size > 1 && group.rows <= size * MAX_ROWS_PER_READER) {
    try {
      const rows = (await waiters[0]?.source.list()) ?? [];
      group.rows = rows.length;
      listed = new Map(rows.map((row) => [row.id, row]));
    } catch (error) {
      // Otherwise the rights of that caller have ended, or it has been cancelled: the others read by themselves.
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
