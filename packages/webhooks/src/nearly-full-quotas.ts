import { formatStored, parseStored, storedForms } from '@gateway/core';
import { type Redis, replicatedWrite } from '@gateway/store';
import { webhookKeys } from './keys.ts';

/** A quota whose use has come near its limit, as a worker has read it then. */
export interface NearlyFullQuota {
  /** Milliseconds since the epoch. */
  at: number;
  inUse: number;
  limit: number;
  /** Whether its event is stored for webhooks. */
  isReported: boolean;
}

/** Each reading renews it: for projects that are removed without the gateway, or of which nobody learns. */
const KEEP_SECONDS = 30 * 86_400;

/**
 * Which quotas of a project are nearly full, so that webhooks learn of it once. There is at most one entry
 * for each quota that the services have.
 */
export class NearlyFullQuotas {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** By the name of the quota. */
  async read(projectId: string): Promise<Map<string, NearlyFullQuota>> {
    const key = webhookKeys.nearlyFull(projectId);
    const [stored] = await Promise.all([this.#redis.hgetall(key), this.#redis.expire(key, KEEP_SECONDS)]);
    return new Map(Object.entries(stored).map(([name, text]) => [name, parse(text)]));
  }

  /** Returns what is stored: that of an earlier call if there was one. */
  async begin(
    projectId: string,
    name: string,
    quota: Pick<NearlyFullQuota, 'at' | 'inUse' | 'limit'>,
  ): Promise<NearlyFullQuota> {
    const key = webhookKeys.nearlyFull(projectId);
    const begun = { ...quota, isReported: false };
    const value = format(begun);
    await replicatedWrite(this.#redis, key, (pipeline) =>
      pipeline.hsetnx(key, name, value).expire(key, KEEP_SECONDS),
    );
    const stored = await this.#redis.hget(key, name);
    return stored === null ? begun : parse(stored);
  }

  async setReported(projectId: string, name: string, quota: NearlyFullQuota): Promise<void> {
    const key = webhookKeys.nearlyFull(projectId);
    const value = format({ ...quota, isReported: true });
    await replicatedWrite(this.#redis, key, (pipeline) =>
      pipeline.hset(key, name, value).expire(key, KEEP_SECONDS),
    );
  }

  async end(projectId: string, name: string): Promise<void> {
    const key = webhookKeys.nearlyFull(projectId);
    await replicatedWrite(this.#redis, key, (pipeline) => pipeline.hdel(key, name));
  }

  async removeOfProject(projectId: string): Promise<void> {
    const key = webhookKeys.nearlyFull(projectId);
    await replicatedWrite(this.#redis, key, (pipeline) => pipeline.del(key));
  }
}

function format(quota: NearlyFullQuota): string {
  return formatStored(storedForms.nearlyFullQuota, quota);
}

/** @throws NewerFormError */
function parse(text: string): NearlyFullQuota {
  return parseStored<NearlyFullQuota>(storedForms.nearlyFullQuota, text);
}
