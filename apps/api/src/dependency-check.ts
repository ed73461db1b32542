import type { Config } from '@gateway/config';
import { type Clock, newRequestId } from '@gateway/core';
import { isOverdue, readTaskStates } from '@gateway/jobs';
import type { Openstack } from '@gateway/openstack';
import { acceptsWritesWithin, type RedisConnections, respondsWithin } from '@gateway/redis';

/** The services that requests depend on. */
interface Dependencies {
  /** Whether the store accepts writes. */
  store: boolean;
  /** Whether the Redis for cached lists answers; null if it is the store. */
  cache: boolean | null;
  /** Whether the identity service answers. */
  identity: boolean;
  /** Whether the scheduled tasks of the workers run: none is overdue. */
  maintenance: boolean;
}

interface DependencyCheckParts {
  redis: Pick<RedisConnections, 'store' | 'cache'>;
  openstack: Openstack;
  config: Config;
  clock: Clock;
}

/** A dependency that does not answer within this time is unavailable. */
const TIMEOUT_MS = 1_000;
/** The endpoint is public, so the result is reused for this long. */
const REUSE_MS = 10_000;

/** Checks the services that requests depend on. All callers within ten seconds share the result. */
export class DependencyCheck {
  readonly #parts: DependencyCheckParts;
  /** Before that, other processes may not have run at all. */
  readonly #since: number;
  #latest: { result: Promise<Dependencies>; startedAt: number } | null = null;

  constructor(parts: DependencyCheckParts) {
    this.#parts = parts;
    this.#since = parts.clock.now();
  }

  check(): Promise<Dependencies> {
    const now = this.#parts.clock.now();
    if (this.#latest === null || this.#latest.startedAt + REUSE_MS <= now) {
      this.#latest = { result: this.#ask(), startedAt: now };
    }
    return this.#latest.result;
  }

  async #ask(): Promise<Dependencies> {
    const { cache, store } = this.#parts.redis;
    const [acceptsWrites, cacheAnswers, identity] = await Promise.all([
      acceptsWritesWithin(store, TIMEOUT_MS),
      cache === store ? null : respondsWithin(cache, TIMEOUT_MS),
      this.#identityAnswers(),
    ]);
    // Without the store no task runs.
    const maintenance = acceptsWrites && (await this.#tasksRun());
    return { store: acceptsWrites, cache: cacheAnswers, identity, maintenance };
  }

  async #tasksRun(): Promise<boolean> {
    const { clock, config, redis } = this.#parts;
    const limits = { now: clock.now(), since: this.#since };
    try {
      const states = await readTaskStates(redis.store, config);
      return !Object.values(states).some((state) => isOverdue(state, limits));
    } catch {
      return false;
    }
  }

  async #identityAnswers(): Promise<boolean> {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      await this.#parts.openstack.identity.ping({ requestId: newRequestId(), signal, retry: 'none' });
      return true;
    } catch {
      return false;
    }
  }
}
