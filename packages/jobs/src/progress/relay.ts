import { sleep } from '@gateway/core';
import type { Redis } from '@gateway/store';
import pLimit from 'p-limit';
import { parseChange } from '../changes/change-entry.ts';
import { fieldsOf } from '../changes/project-log.ts';
import type { EventLog } from '../feed/event-log.ts';
import { FEED_LENGTH } from '../feed/feed.ts';
import { jobKeys } from '../keys.ts';
import { type JobEvent, parseEntry } from './job-events.ts';
import { jobLog } from './job-log.ts';
import { type EventListener, type LogSource, LogSubscription, type Subscription } from './subscription.ts';

/** Learns which lists of a project have changed in a way that only a poll can find. */
export type PollListener = (projectId: string, lists: readonly string[]) => void;

/** Any event, whose log knows its type. */
// biome-ignore lint/suspicious/noExplicitAny: the key of a log determines the type of its events.
type AnySubscription = LogSubscription<any, any>;

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
 * Delivers the events of jobs and projects to this process's open streams. One blocking connection follows
 * the feed of all of them. Events that it missed, before the subscription or while the connection was lost,
 * are read from the log of the job or the project. Each event says which one it follows, so the relay detects
 * gaps and duplicates. See decisions 2 and 130.
 */
export class ProgressRelay {
  readonly #feed: Redis;
  /** By the key of the log. */
  readonly #subscriptions = new Map<string, Set<AnySubscription>>();
  readonly #stopping = new AbortController();
  readonly #reading: LogSource;
  #following: Promise<void> | null = null;
  #isElsewhere = false;
  #onPoll: PollListener = () => {};

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

  /**
   * Delivers the events of a job after number `afterSeq`, past ones first, until the subscription is closed.
   */
  subscribe(jobId: string, afterSeq: number, listener: EventListener<JobEvent>): Subscription {
    return this.follow(jobLog(jobId), afterSeq, listener);
  }

  /** Delivers the events of a log after a position, past ones first, until the subscription is closed. */
  follow<Event, Position>(
    log: EventLog<Event, Position>,
    position: Position,
    listener: EventListener<Event>,
  ): Subscription {
    const subscription = new LogSubscription(this.#reading, log, position, listener);
    const ofLog = this.#subscriptions.get(log.key) ?? new Set();
    ofLog.add(subscription);
    this.#subscriptions.set(log.key, ofLog);
    subscription.catchUp();
    return {
      pause: () => subscription.pause(),
      resume: () => subscription.resume(),
      close: () => {
        subscription.close();
        ofLog.delete(subscription);
        if (ofLog.size === 0 && this.#subscriptions.get(log.key) === ofLog)
          this.#subscriptions.delete(log.key);
      },
    };
  }

  /** Calls `listener` for the lists that a write has touched. An outage may swallow a call. */
  onPoll(listener: PollListener): void {
    this.#onPoll = listener;
  }

  /** Ends all deliveries. Does not wait for the current read: after a lost connection it may never end. */
  async close(): Promise<void> {
    this.#stopping.abort();
    for (const event of MOVES) this.#feed.off(event, this.#onMove);
    this.#feed.disconnect();
    for (const ofLog of this.#subscriptions.values()) {
      for (const subscription of ofLog) subscription.close();
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

  #dispatch(list: string[]): void {
    const fields = fieldsOf(list);
    const { job, changes, poll, lists = '' } = fields;
    if (job !== undefined) {
      this.#offer(jobKeys.log(job), () => parseEntry(Number(fields.seq), fields.entry ?? ''));
    } else if (changes !== undefined) {
      this.#offer(jobKeys.changes(changes), () =>
        parseChange(fields.id ?? '', fields.previous ?? '', fields),
      );
    } else if (poll !== undefined) {
      this.#onPoll(poll, lists.split(' '));
    }
  }

  #offer(key: string, parse: () => unknown): void {
    const ofLog = this.#subscriptions.get(key);
    if (ofLog === undefined) return;
    try {
      const event = parse();
      for (const subscription of ofLog) subscription.offer(event);
    } catch {
      // An event in a newer form ends these streams when they read it in the log.
      for (const subscription of ofLog) subscription.catchUp();
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
    for (const ofLog of this.#subscriptions.values()) {
      for (const subscription of ofLog) subscription.catchUp();
    }
  };
}
