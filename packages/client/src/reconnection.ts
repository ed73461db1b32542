import { MAX_TIMER_MS } from './event-stream.ts';
import { GatewayError } from './gateway-error.ts';

export interface FollowOptions {
  /** Ends the iteration, which then throws the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** The number of the last known event, for example from before a page was reloaded. */
  lastEventId?: number | undefined;
  /** Called before each wait for another connection. */
  onReconnect?: ((reconnect: Reconnect) => void) | undefined;
  /** Called when the gateway is reachable again after `onReconnect`. */
  onReconnected?: (() => void) | undefined;
  /** The maximum delay before another connection; 30 s by default. */
  maxDelayMs?: number | undefined;
  /**
   * How long to retry without reaching the gateway, from the first failure on, before the last error is
   * thrown; a minute by default.
   */
  giveUpAfterMs?: number | undefined;
  /**
   * A connection without an answer, or without data, even a heartbeat, for this time is replaced; a minute by
   * default.
   */
  idleTimeoutMs?: number | undefined;
}

/** Why and when a stream reconnects. */
export interface Reconnect {
  /** 1 for the first attempt since the gateway was last reachable. */
  attempt: number;
  delayMs: number;
  /** Undefined if the gateway ended the stream. */
  error: unknown;
  /**
   * Ends the wait, for example when the user asks for it or the browser is online again. No
   * effect after the wait.
   */
  tryNow: () => void;
}

const INITIAL_DELAY_MS = 1_000;

/** An error of a function of the reader is no failure of the connection: another attempt would repeat it. */
class ListenerError extends Error {
  override readonly name = 'ListenerError';
}

/** Calls functions of the reader. What they throw ends the stream. */
export function inform(listeners: () => void): void {
  try {
    listeners();
  } catch (cause) {
    throw new ListenerError('A function of the reader has failed.', { cause });
  }
}

/**
 * The waits between the connections of a stream. They double up to a maximum and have jitter, so that the
 * clients of a restarted gateway do not return all at once.
 */
export class Reconnection {
  readonly #options: FollowOptions;
  #baseMs = INITIAL_DELAY_MS;
  #attempts = 0;
  /** When the attempts began to fail; null while the gateway is reachable. */
  #failingSince: number | null = null;

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  /** Sets the first delay, from the gateway's `retry:`. */
  startAt(ms: number): void {
    this.#baseMs = ms;
  }

  /** Call this when the gateway has responded. */
  reset(): void {
    const wasWaiting = this.#attempts > 0;
    this.#attempts = 0;
    this.#failingSince = null;
    if (wasWaiting) inform(() => this.#options.onReconnected?.());
  }

  /**
   * Resolves when the next attempt is due. @throws the error if there should be no further attempt; what a
   * function of the reader has thrown; the reason of the signal
   */
  async wait(error: unknown): Promise<void> {
    const { signal, onReconnect, maxDelayMs = 30_000, giveUpAfterMs = 60_000 } = this.#options;
    signal?.throwIfAborted();
    if (error instanceof ListenerError) throw error.cause;
    if (!isTransient(error)) throw error;
    const limit = Math.min(this.#baseMs * 2 ** this.#attempts, maxDelayMs);
    const delayMs = Math.max(limit / 2 + (Math.random() * limit) / 2, retryAfterMs(error));
    const now = Date.now();
    const failingSince = this.#failingSince ?? now;
    if (now + delayMs - failingSince > giveUpAfterMs) {
      throw error ?? new Error('The gateway ends the stream before its last event, again and again.');
    }
    this.#attempts += 1;
    const { ended, end } = wait(Math.min(delayMs, MAX_TIMER_MS), signal);
    onReconnect?.({ attempt: this.#attempts, delayMs, error, tryNow: end });
    await ended;
    // A machine that slept meanwhile, or a page in the background whose timers are late, has not tried.
    this.#failingSince = failingSince + Math.max(0, Date.now() - now - delayMs);
  }
}

/**
 * Whether another attempt may succeed: the connection broke, the gateway asks for a delay, or the
 * failure may be temporary. Maintenance is not: a person decides when to send a change again.
 */
function isTransient(error: unknown): boolean {
  // Of the path of the request, which stays the same.
  if (error instanceof RangeError) return false;
  if (!(error instanceof GatewayError)) return true;
  if (error.code === 'read_only') return false;
  return error.status >= 500 || [408, 429].includes(error.status) || error.code === 'idempotency_in_progress';
}

function retryAfterMs(error: unknown): number {
  return error instanceof GatewayError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
}

/** A wait that can be ended early. Rejects with the reason of the signal as soon as the signal is aborted. */
function wait(ms: number, signal: AbortSignal | undefined): { ended: Promise<void>; end: () => void } {
  let end = (): void => {};
  const ended = new Promise<void>((resolve, reject) => {
    const settle = (how: () => void) => () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      how();
    };
    const abort = settle(() => reject(signal?.reason));
    end = settle(resolve);
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
  // If `onReconnect` throws, nobody awaits it.
  ended.catch(() => {});
  return { ended, end };
}
