import { sleep } from '@gateway/core';
import { isRedisUnavailable, type Redis } from '@gateway/store';
import type { EventLog } from '../feed/event-log.ts';

/** Receives the events of a log in order, without gaps or repeats. */
export interface EventListener<Event> {
  onEvent(event: Event): void;
  /**
   * The log cannot be read or no longer exists, or `onEvent` threw: nothing more is delivered. The listener
   * may subscribe again with the position of its last event. Not called while Redis is unavailable: events
   * are then delivered later.
   */
  onError(error: unknown): void;
}

/** The subscription of a listener to the events of a log. */
export interface Subscription {
  /** Stops deliveries from the next event on. Later events stay in the log. */
  pause(): void;
  /** Resumes from the log, after the last event that was delivered. */
  resume(): void;
  close(): void;
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

/** One listener's position in one log. Receives live events and reads missing ones from the log. */
export class LogSubscription<Event, Position> implements Subscription {
  readonly #reading: LogSource;
  readonly #log: EventLog<Event, Position>;
  readonly #listener: EventListener<Event>;
  #position: Position;
  /** The log may contain events that were not delivered. */
  #isBehind = false;
  #isReading = false;
  #isPaused = false;
  #isClosed = false;
  /**
   * Adapts to the listener's speed: for a slow listener, large reads would read the same events repeatedly.
   */
  #chunkEvents = MAX_CHUNK_EVENTS;

  constructor(
    reading: LogSource,
    log: EventLog<Event, Position>,
    position: Position,
    listener: EventListener<Event>,
  ) {
    this.#reading = reading;
    this.#log = log;
    this.#position = position;
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
  offer(event: Event): void {
    if (this.#log.compare(event, this.#position) === 'later') this.catchUp();
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
  async #readChunk(): Promise<Event[]> {
    const { redis, stopping } = this.#reading;
    while (this.#isFlowing) {
      try {
        this.#isBehind = false;
        const events = await this.#log.read(redis, this.#position, this.#chunkEvents);
        if (events.length === this.#chunkEvents) this.#isBehind = true;
        return events;
      } catch (error) {
        if (!isRedisUnavailable(error)) throw error;
        this.#isBehind = true;
      }
      await sleep(STORE_RETRY_MS, stopping);
    }
    return [];
  }

  /** Skips events that were delivered before, live or from the log. */
  #deliver(event: Event): void {
    if (!this.#isFlowing || this.#log.compare(event, this.#position) === 'earlier') return;
    this.#position = this.#log.positionOf(event);
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
