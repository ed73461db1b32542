import {
  type Clock,
  formatStored,
  type GatewayError,
  parseStored,
  readOnly,
  storedForms,
  toTimestamp,
} from '@gateway/core';
import { isRedisUnavailable, type Redis, replicatedWrite } from '@gateway/store';

/** The gateway accepts no changes for maintenance. Times are in milliseconds since the epoch. */
export interface ReadOnlyState {
  /** For users; null if the administrator gave none. */
  reason: string | null;
  since: number;
  /** When the mode ends by itself; null if an administrator ends it. */
  until: number | null;
  /** The administrator who began the mode or changed it last. */
  userId: string;
  userName: string | null;
}

interface ReadOnlyModeOptions {
  redis: Redis;
  clock: Clock;
}

const KEY = 'read-only-mode';
/** Without a planned end, which may come at any time. */
const RETRY_AFTER_SECONDS = 60;
/** The mode may end before its planned end. */
const MAX_RETRY_AFTER_SECONDS = 3600;

/**
 * Whether the gateway is read-only, for all api processes. Each write reads it from the store, so that all
 * processes obey at once; reads of lists do not. While the store is unavailable, the state that this process
 * has read last counts. See decision 220.
 */
export class ReadOnlyMode {
  readonly #options: ReadOnlyModeOptions;
  #lastRead: ReadOnlyState | null = null;

  constructor(options: ReadOnlyModeOptions) {
    this.#options = options;
  }

  /**
   * Null unless the gateway is read-only.
   * @throws while the store is unavailable; NewerFormError
   */
  async read(): Promise<ReadOnlyState | null> {
    const stored = await this.#options.redis.get(KEY);
    this.#lastRead = stored === null ? null : parseStored<ReadOnlyState>(storedForms.readOnlyMode, stored);
    return this.lastRead();
  }

  /** As `read`, and the last known state while the store cannot say it. */
  async readOrLast(): Promise<ReadOnlyState | null> {
    try {
      return await this.read();
    } catch (error) {
      if (!isRedisUnavailable(error)) throw error;
      return this.lastRead();
    }
  }

  /** Begins the mode, or replaces its reason and its end. */
  async begin(state: Omit<ReadOnlyState, 'since'>): Promise<ReadOnlyState> {
    const { clock, redis } = this.#options;
    const since = (await this.read())?.since ?? clock.now();
    const begun = { ...state, since };
    const text = formatStored(storedForms.readOnlyMode, begun);
    await replicatedWrite(redis, KEY, (pipeline) => pipeline.set(KEY, text));
    this.#lastRead = begun;
    return begun;
  }

  async end(): Promise<void> {
    const { redis } = this.#options;
    await replicatedWrite(redis, KEY, (pipeline) => pipeline.del(KEY));
    this.#lastRead = null;
  }

  /** @throws 503 `read_only` with the reason */
  async requireWritable(): Promise<void> {
    const state = await this.readOrLast();
    if (state !== null) throw refusal(state, this.#options.clock.now());
  }

  /** The state that this process has read last, unless it has ended since. */
  lastRead(): ReadOnlyState | null {
    const { until } = this.#lastRead ?? {};
    return until != null && until <= this.#options.clock.now() ? null : this.#lastRead;
  }
}

function refusal({ reason, until }: ReadOnlyState, now: number): GatewayError {
  const end = until === null ? '' : ` until ${toTimestamp(until)}`;
  const detail = `The gateway accepts no changes${end}, because of maintenance`;
  const secondsLeft = until === null ? RETRY_AFTER_SECONDS : Math.ceil((until - now) / 1000);
  return readOnly(reason === null ? `${detail}.` : `${detail}: ${asSentence(reason)}`, {
    retryAfterSeconds: Math.min(secondsLeft, MAX_RETRY_AFTER_SECONDS),
  });
}

/** Ends with a full stop, as all sentences of the gateway. */
function asSentence(text: string): string {
  return /[.!?…。]$/u.test(text) ? text : `${text}.`;
}
