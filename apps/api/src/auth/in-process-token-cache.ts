import { atMost, type Clock, isYetToCome } from '@gateway/core';
import type { SingleRedis } from '@gateway/store';
import { LRUCache } from 'lru-cache';
import type { Caller } from './caller.ts';
import type { Session, Sessions } from './sessions.ts';

/** A validated caller in the in-process token cache. */
interface CachedCaller {
  caller: Caller;
  /** Null if the store was unavailable. */
  session: Session | null;
  /** Milliseconds since the epoch. */
  validUntil: number;
}

interface InProcessTokenCacheOptions {
  subscriber: SingleRedis;
  /** The Redis channel on which the ids of invalidated users are published, as a JSON array. */
  channel: string;
  sessions: Sessions;
  /** How long a result of the identity service is used at most. */
  maxAgeMs: number;
  clock: Clock;
  /**
   * Called after an invalidation. Anything else that this process has cached about access may be outdated
   * too.
   */
  onInvalidate(): void;
}

const MAX_TOKENS = 20_000;

/**
 * Caches validated callers in this process, so that a repeated request needs no read of the store.
 * Invalidations arrive over a Redis channel. A process that is not subscribed asks the store first, and uses
 * what it has cached only if the store does not answer either. See decision 16.
 */
export class InProcessTokenCache {
  /** By token, then by the project that the request named. */
  readonly #tokens = new LRUCache<string, Map<string, CachedCaller>>(atMost(MAX_TOKENS));
  readonly #sessions: Sessions;
  readonly #maxAgeMs: number;
  readonly #clock: Clock;
  readonly #onInvalidate: () => void;
  #isSubscribed = false;
  #generation = 0;

  constructor(options: InProcessTokenCacheOptions) {
    const { subscriber, channel, sessions, maxAgeMs, clock, onInvalidate } = options;
    this.#sessions = sessions;
    this.#maxAgeMs = maxAgeMs;
    this.#clock = clock;
    this.#onInvalidate = onInvalidate;
    subscriber.on('message', (_channel: string, message: string) => {
      const userIds = userIdsIn(message);
      // A process of another release may mean anybody.
      if (userIds === null) this.clear();
      else this.invalidateUsers(userIds);
    });
    subscriber.on('close', () => {
      // Also closed after each failed attempt to connect.
      if (!this.#isSubscribed) return;
      this.#isSubscribed = false;
      this.#finishInvalidation();
    });
    subscriber.on('ready', () => {
      // The client resubscribes by itself. This call only reports when it has.
      void subscriber.subscribe(channel).then(
        () => {
          // Invalidations may have been missed meanwhile.
          this.#tokens.clear();
          this.#isSubscribed = true;
        },
        () => {},
      );
    });
  }

  get(token: string, projectId: string): Caller | null {
    if (!this.#isSubscribed) return null;
    const cached = this.#getValid(token, projectId);
    // Another process may have extended an expired session. Only the store has the current state.
    return cached?.session && this.#sessions.isActive(cached.session) ? cached.caller : null;
  }

  /** The caller while the store is unavailable, and sessions are not enforced. */
  getWithoutStore(token: string, projectId: string): Caller | null {
    return this.#getValid(token, projectId)?.caller ?? null;
  }

  /** Whether this process has seen the token valid. */
  wasValid(token: string): boolean {
    return this.#tokens.has(token);
  }

  /**
   * Read it before you read the store, and pass it to `put`. `put` then detects an invalidation in between.
   */
  get generation(): number {
    return this.#generation;
  }

  put(token: string, projectId: string, cached: CachedCaller, generation: number): void {
    if (generation !== this.#generation) return;
    const byProject = this.#tokens.get(token) ?? new Map<string, CachedCaller>();
    byProject.set(projectId, cached);
    this.#tokens.set(token, byProject);
  }

  invalidateUsers(userIds: readonly string[]): void {
    const invalid = new Set(userIds);
    for (const [token, byProject] of this.#tokens.entries()) {
      const [first] = byProject.values();
      if (first !== undefined && invalid.has(first.caller.identity.userId)) this.#tokens.delete(token);
    }
    this.#finishInvalidation();
  }

  clear(): void {
    this.#tokens.clear();
    this.#finishInvalidation();
  }

  #getValid(token: string, projectId: string): CachedCaller | null {
    const cached = this.#tokens.get(token)?.get(projectId);
    return cached !== undefined && isYetToCome(cached.validUntil, this.#maxAgeMs, this.#clock)
      ? cached
      : null;
  }

  #finishInvalidation(): void {
    this.#generation += 1;
    this.#onInvalidate();
  }
}

/** Null for a message of another form. */
function userIdsIn(message: string): string[] | null {
  try {
    const ids: unknown = JSON.parse(message);
    return Array.isArray(ids) ? ids.map(String) : null;
  } catch {
    return null;
  }
}
