import { loadScript, type Redis } from '@gateway/store';
import { type ClientRateLimitInfo, MemoryStore, type Options, type Store } from 'express-rate-limit';
import { type RedisReply, RedisStore } from 'rate-limit-redis';
import { decrementScript } from './decrement-script.ts';

/** Counts in Redis for all processes, or in memory for this process while Redis is unavailable. */
export class RedisOrMemoryStore implements Store {
  readonly prefix: string;
  readonly #redis: Redis;
  readonly #memory = new MemoryStore();
  #store: RedisStore | null = null;
  #options: Options | null = null;

  constructor(redis: Redis, prefix: string) {
    this.#redis = redis;
    this.prefix = prefix;
  }

  init(options: Options): void {
    this.#options = options;
    this.#memory.init(options);
  }

  async get(key: string): Promise<ClientRateLimitInfo> {
    const found = await this.#withFallback((store) => store.get(key));
    // RedisStore returns NaN for a key that does not exist.
    return found?.totalHits ? found : { totalHits: 0, resetTime: undefined };
  }

  increment(key: string): Promise<ClientRateLimitInfo> {
    return this.#withFallback((store) => store.increment(key));
  }

  async decrement(key: string): Promise<void> {
    await this.#withFallback((store) =>
      store === this.#memory
        ? store.decrement(key)
        : decrementScript.run(this.#redis, { counter: this.prefix + key }),
    );
  }

  async resetKey(key: string): Promise<void> {
    await this.#withFallback((store) => store.resetKey(key));
  }

  async #withFallback<T>(use: (store: RedisStore | MemoryStore) => Promise<T> | T): Promise<T> {
    if (this.#redis.status !== 'ready') return use(this.#memory);
    try {
      return await use(this.#redisStore());
    } catch {
      // RedisStore loads its scripts when it is created. A Redis that restarted empty needs them again.
      this.#store = null;
      return use(this.#memory);
    }
  }

  /**
   * Created at first use, because RedisStore connects at once and Redis may be unavailable when the process
   * starts.
   */
  #redisStore(): RedisStore {
    if (this.#store === null) {
      this.#store = new RedisStore({
        prefix: this.prefix,
        sendCommand: (command, ...args) => this.#send(command, args),
      });
      // A use of the store fails in the same way, and falls back. Unhandled, the error would end the process.
      if (this.#options !== null) this.#store.init(this.#options).catch(() => {});
    }
    return this.#store;
  }

  #send(command: string, args: string[]): Promise<RedisReply> {
    const [what, script] = args;
    if (command === 'SCRIPT' && what === 'LOAD' && script !== undefined)
      return loadScript(this.#redis, script);
    return this.#redis.call(command, ...args) as Promise<RedisReply>;
  }
}
