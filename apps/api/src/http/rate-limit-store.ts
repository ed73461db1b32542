import { loadScript, type Redis } from '@gateway/redis';
import { type ClientRateLimitInfo, MemoryStore, type Options, type Store } from 'express-rate-limit';
import { type RedisReply, RedisStore } from 'rate-limit-redis';

/** Counts in Redis, for all processes together; in this process alone while Redis is away. */
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

  increment(key: string): Promise<ClientRateLimitInfo> {
    return this.#either((store) => store.increment(key));
  }

  async decrement(key: string): Promise<void> {
    await this.#either((store) => store.decrement(key));
  }

  async resetKey(key: string): Promise<void> {
    await this.#either((store) => store.resetKey(key));
  }

  async #either<T>(use: (store: RedisStore | MemoryStore) => Promise<T>): Promise<T> {
    if (this.#redis.status !== 'ready') return use(this.#memory);
    try {
      return await use(this.#redisStore());
    } catch {
      // The scripts are loaded when the store is made; a Redis that came back empty needs them anew.
      this.#store = null;
      return use(this.#memory);
    }
  }

  /** Made at first use: it talks to Redis at once, which may be away when the process starts. */
  #redisStore(): RedisStore {
    if (this.#store === null) {
      this.#store = new RedisStore({
        prefix: this.prefix,
        sendCommand: (command, ...args) => this.#send(command, args),
      });
      if (this.#options !== null) void this.#store.init(this.#options);
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
