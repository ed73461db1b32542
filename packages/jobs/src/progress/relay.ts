import { sleep } from '@gateway/core';
import type { Redis } from '@gateway/redis';
import pLimit from 'p-limit';
import { jobKeys } from '../keys.ts';
import { parseEntry } from './job-events.ts';
import { FEED_LENGTH } from './progress-log.ts';
import { type EventListener, type LogSource, LogSubscription, type Subscription } from './subscription.ts';

const BLOCK_MS = 5_000;
const FEED_BATCH = 500;
const RETRY_MS = 200;
/**
 * Maximum number of concurrent reads. After a reconnect, every stream of this process reads its job's log.
 */
const READS_AT_ONCE = 32;
/** The events after which the feed may be on another server. The last two are those of a Cluster. */
const MOVES = ['ready', '+node', '-node'];

/**
 * Delivers the events of jobs to this process's open streams. One blocking connection follows the feed of all
 * jobs. Events that it missed, before the subscription or while the connection was lost, are read from the
 * job's log. Events are numbered, so the relay detects gaps and duplicates. See decision 2.
 */
export class ProgressRelay {
  readonly #feed: Redis;
  readonly #subscriptions = new Map<string, Set<LogSubscription>>();
  readonly #stopping = new AbortController();
  readonly #reading: LogSource;
  #following: Promise<void> | null = null;
  #isElsewhere = false;

  /** `feed` must be a separate connection, because its reads block. */
  constructor(store: Redis, feed: Redis) {
    this.#feed = feed;
    this.#reading = { redis: store, limit: pLimit(READS_AT_ONCE), stopping: this.#stopping.signal };
  }

  start(): void {
    // The connection repeats an interrupted read by itself, so the read does not show what the feed has lost
    // meanwhile.
    if (this.#following === null) for (const event of MOVES) this.#feed.on(event, this.#onMove);
    this.#following ??= this.#follow();
  }

  /** Delivers the events after number `afterSeq`, past ones first, until the subscription is closed. */
  subscribe(jobId: string, afterSeq: number, listener: EventListener): Subscription {
    const subscription = new LogSubscription(this.#reading, jobId, afterSeq, listener);
    const ofJob = this.#subscriptions.get(jobId) ?? new Set();
    ofJob.add(subscription);
    this.#subscriptions.set(jobId, ofJob);
    subscription.catchUp();
    return {
      pause: () => subscription.pause(),
      resume: () => subscription.resume(),
      close: () => {
        subscription.close();
        ofJob.delete(subscription);
        if (ofJob.size === 0 && this.#subscriptions.get(jobId) === ofJob) this.#subscriptions.delete(jobId);
      },
    };
  }

  /** Ends all deliveries. Does not wait for the current read: after a lost connection it may never end. */
  async close(): Promise<void> {
    this.#stopping.abort();
    for (const event of MOVES) this.#feed.off(event, this.#onMove);
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
          this.#isElsewhere = false;
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
        if (this.#isElsewhere) {
          this.#isElsewhere = false;
          position = '';
          continue;
        }
        for (const [id, fields] of entries) {
          position = id;
          this.#dispatch(fields);
        }
        // This far behind, the feed may have dropped entries before they were read.
        backlog = entries.length === FEED_BATCH ? backlog + FEED_BATCH : 0;
        if (backlog >= FEED_LENGTH) {
          backlog = 0;
          this.#catchUpAll();
        }
      } catch {
        // The connection reconnects by itself. The feed may have been trimmed or lost meanwhile, so every
        // stream reads its log afterwards.
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
    try {
      const event = parseEntry(Number(seq), entry);
      for (const subscription of ofJob) subscription.offer(event);
    } catch {
      // An event in a newer form ends the streams of this job when they read it in the log.
      for (const subscription of ofJob) subscription.catchUp();
    }
  }

  /**
   * The feed of a promoted replica may lack entries that were already read, and may assign their ids again.
   */
  readonly #onMove = (): void => {
    this.#isElsewhere = true;
    this.#catchUpAll();
  };

  readonly #catchUpAll = (): void => {
    for (const ofJob of this.#subscriptions.values()) {
      for (const subscription of ofJob) subscription.catchUp();
    }
  };
}
