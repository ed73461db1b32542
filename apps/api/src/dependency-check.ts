import { type Clock, isYetToCome, newRequestId } from '@gateway/core';
import { isOverdue, readTaskStates } from '@gateway/jobs';
import type { Openstack } from '@gateway/openstack';
import type { Config } from '@gateway/platform';
import { probeWrites, type Redis, type RedisConnections } from '@gateway/store';

/** The services that requests depend on. */
interface Dependencies {
  /** Whether the store accepts writes. */
  store: boolean;
  /** Whether the Redis for cached lists does; null if it is the store. */
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
  #latest: { result: Promise<Dependencies>; until: number } | null = null;

  constructor(parts: DependencyCheckParts) {
    this.#parts = parts;
    this.#since = parts.clock.now();
  }

  check(): Promise<Dependencies> {
    const { clock } = this.#parts;
    if (this.#latest === null || !isYetToCome(this.#latest.until, REUSE_MS, clock)) {
      this.#latest = { result: this.#ask(), until: clock.now() + REUSE_MS };
    }
    return this.#latest.result;
  }

  async #ask(): Promise<Dependencies> {
    const { cache, store } = this.#parts.redis;
    const [isStoreUp, isCacheUp, identity] = await Promise.all([
      acceptsWrites(store),
      cache === store ? null : acceptsWrites(cache),
      this.#identityAnswers(),
    ]);
    // Without the store no task runs.
    const maintenance = isStoreUp && (await this.#tasksRun());
    return { store: isStoreUp, cache: isCacheUp, identity, maintenance };
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

async function acceptsWrites(redis: Redis): Promise<boolean> {
  return (await probeWrites(redis, TIMEOUT_MS)) === 'accepted';
}
