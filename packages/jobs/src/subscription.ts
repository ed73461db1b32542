import { sleep } from '@gateway/core';
import { isRedisUnavailable, type Redis } from '@gateway/redis';
import { type JobEvent, readEvents } from './job-events.ts';
import { jobKeys } from './keys.ts';

/** Told of a job's events in order, without gap or repeat. */
export interface EventListener {
  onEvent(event: JobEvent): void;
  /**
   * The log can not be read, or is gone, or `onEvent` threw: nothing more is delivered. The listener may come
   * back with the number of its last event. Not called while Redis is away: then events come later.
   */
  onError(error: unknown): void;
}

/** A listener's place in a job's log. */
export interface Subscription {
  /** Holds deliveries back, from the very next one on; what comes meanwhile is kept by the log alone. */
  pause(): void;
  /** Goes on from the log, after the last event that was delivered. */
  resume(): void;
  close(): void;
}

/** The log no longer holds what was delivered from it: it has expired, or Redis has lost it. */
export class LogLostError extends Error {
  constructor(jobId: string) {
    super(`The log of job ${jobId} is gone.`);
    this.name = 'LogLostError';
  }
}

/** What the subscriptions of one relay read logs with. */
export interface LogSource {
  redis: Redis;
  /** Runs a read when there is room for one more. */
  limit<T>(read: () => Promise<T>): Promise<T>;
  /** Ends all waiting. */
  stopping: AbortSignal;
}

/** Events that one read takes from a log at most: a long past costs time, and no memory. */
const MAX_CHUNK_EVENTS = 100;
const STORE_RETRY_MS = 1_000;

/** One listener's place in one job's log: live events are offered to it, what it lacks it reads. */
export class LogSubscription implements Subscription {
  readonly #reading: LogSource;
  readonly #jobId: string;
  readonly #listener: EventListener;
  #cursor: number;
  /** The log may hold more than was delivered. */
  #isBehind = false;
  #isReading = false;
  #isPaused = false;
  #isClosed = false;
  /** Follows what the listener takes: for a slow one each event would be read again and again. */
  #chunkEvents = MAX_CHUNK_EVENTS;

  constructor(reading: LogSource, jobId: string, afterSeq: number, listener: EventListener) {
    this.#reading = reading;
    this.#jobId = jobId;
    this.#cursor = afterSeq;
    this.#listener = listener;
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.catchUp();
  }

  close(): void {
    this.#isClosed = true;
  }

  /** A live event: delivered when it is the next one, also while the log is read; else the log is read. */
  offer(event: JobEvent): void {
    if (event.seq > this.#cursor + 1) this.catchUp();
    else this.#deliver(event);
  }

  catchUp(): void {
    this.#isBehind = true;
    if (!this.#isReading && this.#isFlowing) void this.#read();
  }

  get #isFlowing(): boolean {
    return !this.#isPaused && !this.#isClosed;
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    try {
      while (this.#isBehind && this.#isFlowing) {
        const events = await this.#reading.limit(() => this.#readChunk());
        const last = events.findIndex((event) => {
          this.#deliver(event);
          return !this.#isFlowing;
        });
        const taken = last === -1 ? this.#chunkEvents : last + 1;
        this.#chunkEvents = Math.min(2 * taken, MAX_CHUNK_EVENTS);
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isReading = false;
    }
  }

  /** Waits for a store that is away: a stream that is kept open costs less than one that comes back. */
  async #readChunk(): Promise<JobEvent[]> {
    while (this.#isFlowing) {
      try {
        this.#isBehind = false;
        const events = await this.#readOn();
        if (events.length === this.#chunkEvents) this.#isBehind = true;
        return events;
      } catch (error) {
        if (!isRedisUnavailable(error)) throw error;
        this.#isBehind = true;
      }
      await sleep(STORE_RETRY_MS, this.#reading.stopping);
    }
    return [];
  }

  /** The last event that was delivered is read again: where it is no longer, none will ever follow it. */
  async #readOn(): Promise<JobEvent[]> {
    const { redis } = this.#reading;
    if (this.#cursor > 0) {
      const [seen, ...news] = await readEvents(redis, this.#jobId, this.#cursor - 1, this.#chunkEvents + 1);
      if (seen === undefined) throw new LogLostError(this.#jobId);
      return news;
    }
    const first = await readEvents(redis, this.#jobId, 0, this.#chunkEvents);
    if (first.length > 0 || (await this.#isOpen())) return first;
    // It may have ended between the two.
    const all = await readEvents(redis, this.#jobId, 0, this.#chunkEvents);
    if (all.length === 0) throw new LogLostError(this.#jobId);
    return all;
  }

  /** Whether events are to be expected. */
  async #isOpen(): Promise<boolean> {
    const status = await this.#reading.redis.hget(jobKeys.record(this.#jobId), 'status');
    return status === 'queued' || status === 'running';
  }

  /** Passes over what was delivered before, live or from the log. */
  #deliver(event: JobEvent): void {
    if (!this.#isFlowing || event.seq <= this.#cursor) return;
    this.#cursor = event.seq;
    try {
      this.#listener.onEvent(event);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#listener.onError(error);
  }
}
