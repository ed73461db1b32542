import type { Redis } from '@gateway/store';

/**
 * A log in Redis, whose events a relay delivers to subscribers. `Position` is the place of an event in it.
 */
export interface EventLog<Event, Position> {
  /** The key of the log. */
  readonly key: string;
  positionOf(event: Event): Position;
  /** Whether the event follows the position directly, or only after others, or not at all. */
  compare(event: Event, position: Position): 'next' | 'later' | 'earlier';
  /**
   * The events after the position, oldest first; at most `limit` events.
   * @throws LogLostError if the log no longer has the event at the position, so that events may be missing
   */
  read(redis: Redis, position: Position, limit: number): Promise<Event[]>;
}

/** The log no longer contains delivered events: it has expired, was trimmed, or Redis has lost it. */
export class LogLostError extends Error {
  constructor(what: string) {
    super(`The log of ${what} is gone.`);
    this.name = 'LogLostError';
  }
}
