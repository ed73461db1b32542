import { sleep } from '@gateway/core';
import { isRedisAway, type Redis } from '@gateway/redis';
import { jobKeys } from './keys.ts';
import { FEED_LENGTH, type JobEvent, parseEntry, readEvents } from './progress.ts';

/** Told of a job's events in order, without gap or repeat. */
export interface EventListener {
  onEvent(event: JobEvent): void;
  /**
   * The log can not be read; the listener may come back with the number of its last event. Not called while
   * Redis is away: then events come later.
   */
  onError(error: unknown): void;
}

const BLOCK_MS = 5_000;
const FEED_BATCH = 500;
const RETRY_MS = 200;
const STORE_RETRY_MS = 1_000;

/**
 * Brings the events of jobs to this process's open streams. One blocking connection follows the feed of all
 * jobs; what was missed (before the subscription, or while the connection was away) is read from the job's
 * log. Events are numbered, so a gap or a repeat shows and is mended here.
 */
export class ProgressRelay {
  readonly #store: Redis;
  readonly #feed: Redis;
  readonly #subscriptions = new Map<string, Set<Subscription>>();
  readonly #stopping = new AbortController();
  #following: Promise<void> | null = null;

  /** `feed` must be a connection of its own: it blocks. */
  constructor(store: Redis, feed: Redis) {
    this.#store = store;
    this.#feed = feed;
  }

  start(): void {
    // A read that was cut off is sent again by the connection itself, and tells nothing of what the feed has
    // lost meanwhile.
    if (this.#following === null) this.#feed.on('ready', this.#catchUpAll);
    this.#following ??= this.#follow();
  }

  /** Delivers the events after number `afterSeq`, past ones first, until the returned function is called. */
  subscribe(jobId: string, afterSeq: number, listener: EventListener): () => void {
    const subscription = new Subscription(this.#store, jobId, afterSeq, listener);
    const ofJob = this.#subscriptions.get(jobId) ?? new Set();
    ofJob.add(subscription);
    this.#subscriptions.set(jobId, ofJob);
    subscription.catchUp();
    return () => {
      subscription.close();
      ofJob.delete(subscription);
      if (ofJob.size === 0 && this.#subscriptions.get(jobId) === ofJob) this.#subscriptions.delete(jobId);
    };
  }

  /** Ends all deliveries. Does not wait for the read in flight: one that was cut off may never be answered. */
  async close(): Promise<void> {
    this.#stopping.abort();
    this.#feed.off('ready', this.#catchUpAll);
    this.#feed.disconnect();
    for (const ofJob of this.#subscriptions.values()) {
      for (const subscription of ofJob) subscription.close();
    }
    this.#subscriptions.clear();
  }

  async #follow(): Promise<void> {
    let position = '';
    let backlog = 0;
    while (!this.#stopping.signal.aborted) {
      try {
        if (position === '') {
          position = await this.#latest();
          this.#catchUpAll();
        }
        const reply = await this.#feed.xread(
          'COUNT',
          FEED_BATCH,
          'BLOCK',
          BLOCK_MS,
          'STREAMS',
          jobKeys.feed,
          position,
        );
        const entries = reply?.[0]?.[1] ?? [];
        for (const [id, fields] of entries) {
          position = id;
          this.#dispatch(fields);
        }
        // So far behind, the feed may have dropped entries before they were read.
        backlog = entries.length === FEED_BATCH ? backlog + FEED_BATCH : 0;
        if (backlog >= FEED_LENGTH) {
          backlog = 0;
          this.#catchUpAll();
        }
      } catch {
        // The connection is away; it comes back by itself. The feed may have been trimmed or lost meanwhile,
        // so afterwards every stream looks into its log.
        position = '';
        if (!this.#stopping.signal.aborted) await sleep(RETRY_MS, this.#stopping.signal).catch(() => {});
      }
    }
  }

  async #latest(): Promise<string> {
    const [newest] = await this.#feed.xrevrange(jobKeys.feed, '+', '-', 'COUNT', 1);
    return newest?.[0] ?? '0-0';
  }

  /** `fields` is `job`, id, `seq`, number, `entry`, text. */
  #dispatch(fields: string[]): void {
    const [, jobId = '', , seq = '0', , entry = ''] = fields;
    const ofJob = this.#subscriptions.get(jobId);
    if (ofJob === undefined) return;
    const event = parseEntry(Number(seq), entry);
    for (const subscription of ofJob) subscription.offer(event);
  }

  readonly #catchUpAll = (): void => {
    for (const ofJob of this.#subscriptions.values()) {
      for (const subscription of ofJob) subscription.catchUp();
    }
  };
}

/** One listener's place in one job's log. */
class Subscription {
  readonly #store: Redis;
  readonly #jobId: string;
  readonly #listener: EventListener;
  #cursor: number;
  #reading = false;
  #behind = false;
  readonly #closed = new AbortController();

  constructor(store: Redis, jobId: string, afterSeq: number, listener: EventListener) {
    this.#store = store;
    this.#jobId = jobId;
    this.#cursor = afterSeq;
    this.#listener = listener;
  }

  close(): void {
    this.#closed.abort();
  }

  /** A live event: delivered when it is the next one, else the log is read. */
  offer(event: JobEvent): void {
    if (event.seq <= this.#cursor) return;
    if (this.#reading || event.seq > this.#cursor + 1) this.catchUp();
    else this.#deliver(event);
  }

  catchUp(): void {
    this.#behind = true;
    if (!this.#reading) void this.#read();
  }

  async #read(): Promise<void> {
    this.#reading = true;
    try {
      while (this.#behind && !this.#closed.signal.aborted) {
        this.#behind = false;
        for (const event of await this.#readLog()) this.#deliver(event);
      }
    } catch (error) {
      if (!this.#closed.signal.aborted) this.#listener.onError(error);
    } finally {
      this.#reading = false;
    }
  }

  /** Waits for a store that is away: a stream that is kept open costs less than one that comes back. */
  async #readLog(): Promise<JobEvent[]> {
    for (;;) {
      try {
        return await readEvents(this.#store, this.#jobId, this.#cursor);
      } catch (error) {
        if (!isRedisAway(error)) throw error;
      }
      await sleep(STORE_RETRY_MS, this.#closed.signal);
    }
  }

  #deliver(event: JobEvent): void {
    if (this.#closed.signal.aborted) return;
    this.#cursor = event.seq;
    this.#listener.onEvent(event);
  }
}
