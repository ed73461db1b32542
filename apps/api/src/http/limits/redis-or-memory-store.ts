import type { Logger } from '@gateway/platform';
import type { Redis } from '@gateway/store';
import { type ClientRateLimitInfo, MemoryStore, type Options, type Store } from 'express-rate-limit';
import { decrementScript, incrementScript, readScript } from './scripts.ts';

interface RedisOrMemoryStoreParts {
  redis: Redis;
  logger: Logger;
  /** Distinguishes its counts from those of other limits. */
  name: string;
}

/** Counts in Redis for all processes, or in memory for this process while Redis is unavailable. */
export class RedisOrMemoryStore implements Store {
  readonly prefix: string;
  readonly #redis: Redis;
  readonly #logger: Logger;
  readonly #name: string;
  readonly #memory = new MemoryStore();
  #windowMs = 0;
  /** Whether the log has it that a connected Redis does not count. */
  #isTold = false;

  constructor({ redis, logger, name }: RedisOrMemoryStoreParts) {
    this.prefix = `rate:${name}:`;
    this.#redis = redis;
    this.#logger = logger;
    this.#name = name;
  }

  init(options: Options): void {
    this.#windowMs = options.windowMs;
    this.#memory.init(options);
  }

  async get(key: string): Promise<ClientRateLimitInfo> {
    const found = await this.#withFallback(
      async () => toInfo(await readScript.run(this.#redis, this.#counter(key))),
      () => this.#memory.get(key),
    );
    return found ?? { totalHits: 0, resetTime: undefined };
  }

  increment(key: string): Promise<ClientRateLimitInfo> {
    return this.#withFallback(
      async () =>
        toInfo(await incrementScript.run(this.#redis, this.#counter(key), { windowMs: this.#windowMs })),
      () => this.#memory.increment(key),
    );
  }

  async decrement(key: string): Promise<void> {
    await this.#withFallback<unknown>(
      () => decrementScript.run(this.#redis, this.#counter(key)),
      () => this.#memory.decrement(key),
    );
  }

  async resetKey(key: string): Promise<void> {
    await this.#withFallback<unknown>(
      () => this.#redis.del(this.prefix + key),
      () => this.#memory.resetKey(key),
    );
  }

  #counter(key: string) {
    return { counter: this.prefix + key };
  }

  async #withFallback<T>(inRedis: () => Promise<T>, inMemory: () => Promise<T>): Promise<T> {
    if (this.#redis.status !== 'ready') return inMemory();
    try {
      const result = await inRedis();
      this.#isTold = false;
      return result;
    } catch (error) {
      if (!this.#isTold)
        this.#logger.warn('A rate limit counts in this process alone', { limit: this.#name, error });
      this.#isTold = true;
      return inMemory();
    }
  }
}

/** What a script returns. A counter that does not exist has no remaining time. */
function toInfo(reply: unknown): ClientRateLimitInfo {
  const [totalHits, remainingMs] = reply as [number, number];
  return { totalHits, resetTime: remainingMs > 0 ? new Date(Date.now() + remainingMs) : undefined };
}
