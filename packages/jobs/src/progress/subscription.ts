import { sleep } from '@gateway/core';
import { isRedisUnavailable, type Redis } from '@gateway/redis';
import { jobKeys } from '../keys.ts';
import { type JobEvent, readEvents } from './job-events.ts';

/** Receives a job's events in order, without gaps or repeats. */
export interface EventListener {
  onEvent(event: JobEvent): void;
  /**
   * The log cannot be read or no longer exists, or `onEvent` threw: nothing more is delivered. The listener
   * may subscribe again with the number of its last event. Not called while Redis is unavailable: events are
   * then delivered later.
   */
  onError(error: unknown): void;
}

/** The subscription of a listener to a job's events. */
export interface Subscription {
  /** Stops deliveries from the next event on. Later events stay in the log. */
  pause(): void;
  /** Resumes from the log, after the last event that was delivered. */
  resume(): void;
  close(): void;
}

/** The log no longer contains delivered events: it has expired, or Redis has lost it. */
export class LogLostError extends Error {
  constructor(jobId: string) {
    super(`The log of job ${jobId} is gone.`);
    this.name = 'LogLostError';
  }
}

/** Access to the logs for the subscriptions of one relay. */
export interface LogSource {
  redis: Redis;
  /** Runs a read as soon as the number of concurrent reads allows. */
  limit<T>(read: () => Promise<T>): Promise<T>;
  /** Ends all waiting. */
  stopping: AbortSignal;
}

/** Maximum number of events per read of a log, which limits the memory for a long log. */
const MAX_CHUNK_EVENTS = 100;
const STORE_RETRY_MS = 1_000;

/** One listener's position in one job's log. Receives live events and reads missing ones from the log. */
export class LogSubscription implements Subscription {
  readonly #reading: LogSource;
  readonly #jobId: string;
  readonly #listener: EventListener;
  #cursor: number;
  /** The log may contain events that were not delivered. */
  #isBehind = false;
  #isReading = false;
  #isPaused = false;
  #isClosed = false;
  /**
   * Adapts to the listener's speed: for a slow listener, large reads would read the same events repeatedly.
   */
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

  /** Delivers a live event if it is the next one, else reads the log. */
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

  /** Waits while the store is unavailable: an open stream costs less than one that reconnects. */
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

  /** Reads the last delivered event again: if the log no longer has it, no event will follow. */
  async #readOn(): Promise<JobEvent[]> {
    const { redis } = this.#reading;
    if (this.#cursor > 0) {
      const [seen, ...news] = await readEvents(redis, this.#jobId, this.#cursor - 1, this.#chunkEvents + 1);
      if (seen === undefined) throw new LogLostError(this.#jobId);
      return news;
    }
    const first = await readEvents(redis, this.#jobId, 0, this.#chunkEvents);
    if (first.length > 0 || (await this.#isOpen())) return first;
    // The job may have ended between the two reads.
    const all = await readEvents(redis, this.#jobId, 0, this.#chunkEvents);
    if (all.length === 0) throw new LogLostError(this.#jobId);
    return all;
  }

  /** Whether events are to be expected. */
  async #isOpen(): Promise<boolean> {
    const status = await this.#reading.redis.hget(jobKeys.record(this.#jobId), 'status');
    return status === 'queued' || status === 'running';
  }

  /** Skips events that were delivered before, live or from the log. */
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
