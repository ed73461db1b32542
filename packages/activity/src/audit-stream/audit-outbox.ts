import { formatStored, NewerFormError, parseStored, storedForms } from '@gateway/core';
import type { Logger } from '@gateway/platform';
import type { Redis } from '@gateway/store';
import type { CadfEvent } from './cadf-event.ts';
import { addEventScript, removeDeliveredScript } from './scripts.ts';

interface AuditOutboxOptions {
  redis: Redis;
  logger: Logger;
  maxWaiting: number;
}

/** An event that waits for its delivery. */
interface WaitingEvent {
  /** Of the entry, not of the event. */
  entryId: string;
  event: CadfEvent;
}

/** What the metrics show. `delivered` and `dropped` count since the store is in use. */
interface OutboxState {
  waiting: number;
  /** When the first of them was added, in milliseconds since the epoch; null if none waits. */
  oldestAt: number | null;
  delivered: number;
  dropped: number;
}

interface HeldEvent {
  text: string;
  limit: number;
}

const keys = { events: '{audit}:outbox', counts: '{audit}:outbox-counts' };
/** Anybody can cause refusals, so these may take only this part of the room. */
const SHARE_OF_REFUSALS = 0.5;
/** Events that a process holds while the store is unavailable, about 1 KiB each. */
const MAX_HELD = 1000;
const RETRY_MS = 1_000;

/**
 * The events that wait for the receiver of the audit stream. They are in the store, so that they outlive each
 * process. While the store is unavailable, the process holds what it could not add. See decision 221.
 */
export class AuditOutbox {
  readonly #options: AuditOutboxOptions;
  readonly #held: HeldEvent[] = [];
  /** Events that are not held, and that the store does not count yet. */
  #lost = 0;
  #timer: NodeJS.Timeout | null = null;
  /** The attempt to store what is held. Two at once would each remove what the other has stored. */
  #storing: Promise<void> | null = null;
  #isClosed = false;
  #hasMetNewer = false;

  constructor(options: AuditOutboxOptions) {
    this.#options = options;
  }

  /** Stores an event, or holds it while the store is unavailable. */
  async add(event: CadfEvent, { isRefusal = false } = {}): Promise<void> {
    const { maxWaiting } = this.#options;
    const limit = isRefusal ? Math.floor(maxWaiting * SHARE_OF_REFUSALS) : maxWaiting;
    const held = { text: formatStored(storedForms.auditEvent, event), limit };
    try {
      await this.#store(held);
    } catch (error) {
      this.#hold(held, error);
    }
  }

  /** Stores an event. @throws while the store is unavailable */
  async store(event: CadfEvent): Promise<void> {
    const text = formatStored(storedForms.auditEvent, event);
    await this.#store({ text, limit: this.#options.maxWaiting });
  }

  /**
   * The first events, in the order in which they were added. Those of a newer form wait for the workers that
   * know it, and do not hold up the others.
   */
  async first(count: number): Promise<WaitingEvent[]> {
    const events: WaitingEvent[] = [];
    for (let from = '-'; ; ) {
      const entries = await this.#options.redis.xrange(keys.events, from, '+', 'COUNT', count);
      for (const [entryId, fields] of entries) {
        const event = await this.#parse(entryId, fields[1] ?? '');
        if (event !== null) events.push({ entryId, event });
        if (events.length === count) return events;
      }
      const last = entries.at(-1);
      if (last === undefined || entries.length < count) return events;
      from = `(${last[0]}`;
    }
  }

  /** Null for an event of a newer form, and for one that nothing can read, which is removed. */
  async #parse(entryId: string, text: string): Promise<CadfEvent | null> {
    const { logger, redis } = this.#options;
    try {
      return parseStored<CadfEvent>(storedForms.auditEvent, text);
    } catch (error) {
      if (error instanceof NewerFormError) {
        if (!this.#hasMetNewer) logger.warn('Audit events of a newer version of the gateway wait for it');
        this.#hasMetNewer = true;
        return null;
      }
      logger.error('A broken audit event is removed', { entry_id: entryId, error });
      if ((await redis.xdel(keys.events, entryId)) > 0) await redis.hincrby(keys.counts, 'dropped', 1);
      return null;
    }
  }

  /** Removes events that the receiver has. */
  async delivered(events: readonly WaitingEvent[]): Promise<void> {
    const ids = events.map(({ entryId }) => entryId);
    await removeDeliveredScript.run(this.#options.redis, keys, { ids });
  }

  async state(): Promise<OutboxState> {
    const { redis } = this.#options;
    const [waiting, [oldest], counts] = await Promise.all([
      redis.xlen(keys.events),
      redis.xrange(keys.events, '-', '+', 'COUNT', 1),
      redis.hgetall(keys.counts),
    ]);
    return {
      waiting,
      oldestAt: oldest === undefined ? null : Number(oldest[0].split('-')[0]),
      delivered: Number(counts.delivered ?? 0),
      dropped: Number(counts.dropped ?? 0),
    };
  }

  /** Stores what the process holds, if the store is available. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#storeHeld();
    if (this.#held.length > 0) {
      this.#options.logger.error('Audit events are lost: the store is unavailable', {
        count: this.#held.length,
      });
    }
  }

  async #store({ limit, text }: HeldEvent): Promise<void> {
    const lost = this.#lost;
    // Other events are added at the same time, and must not count these, too.
    this.#lost = 0;
    const args = { event: text, limit, lost };
    let isAdded: unknown;
    try {
      isAdded = await addEventScript.runReplicated(this.#options.redis, keys, args);
    } catch (error) {
      this.#lost += lost;
      throw error;
    }
    if (isAdded !== 1) {
      this.#options.logger.error('An audit event is not sent: too many wait for the receiver', { limit });
    }
  }

  #hold(held: HeldEvent, error: unknown): void {
    const { logger } = this.#options;
    if (this.#isClosed || this.#held.length >= MAX_HELD) {
      this.#lost += 1;
      logger.error('An audit event is lost: the store is unavailable', { error });
      return;
    }
    if (this.#held.length === 0) logger.warn('Audit events wait in the process for the store', { error });
    this.#held.push(held);
    this.#timer ??= this.#retryLater();
  }

  #retryLater(): NodeJS.Timeout | null {
    if (this.#isClosed || this.#held.length === 0) return null;
    return setTimeout(() => void this.#retry(), RETRY_MS).unref();
  }

  async #retry(): Promise<void> {
    await this.#storeHeld();
    this.#timer = this.#retryLater();
  }

  #storeHeld(): Promise<void> {
    this.#storing ??= this.#storeEachHeld().finally(() => {
      this.#storing = null;
    });
    return this.#storing;
  }

  /** An event leaves the process only once the store has it. A repeat has the same id. */
  async #storeEachHeld(): Promise<void> {
    try {
      for (let first = this.#held[0]; first !== undefined; first = this.#held[0]) {
        await this.#store(first);
        this.#held.shift();
      }
    } catch {
      // The next attempt follows.
    }
  }
}
