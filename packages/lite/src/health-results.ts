import { formatStored, parseStored, storedForms } from '@gateway/core';
import type { Redis } from '@gateway/store';
import type { LiteClusterHealth } from './health-shape.ts';

/** The braces put all keys into one slot of a Redis Cluster, so that one command can read many. */
const resultKey = (clusterId: string) => `{lite-health}:result:${clusterId}`;

/** The lock of the one check of a cluster that runs, whatever the number of workers. */
export const healthLockKey = (clusterId: string) => `{lite-health}:checking:${clusterId}`;

/** The latest results of health checks in Redis, each kept for `keepSeconds`. They contain no secrets. */
export class HealthResults {
  readonly #redis: Redis;
  readonly #keepSeconds: number;

  constructor(redis: Redis, keepSeconds: number) {
    this.#redis = redis;
    this.#keepSeconds = keepSeconds;
  }

  async put(health: LiteClusterHealth): Promise<void> {
    const key = resultKey(health.cluster_id);
    await this.#redis.set(key, formatStored(storedForms.healthResult, health), 'EX', this.#keepSeconds);
  }

  /** Null without a result. */
  async get(clusterId: string): Promise<LiteClusterHealth | null> {
    return (await this.getMany([clusterId])).get(clusterId) ?? null;
  }

  /** The existing results, by cluster id. Reads them with one command. */
  async getMany(clusterIds: readonly string[]): Promise<Map<string, LiteClusterHealth>> {
    if (clusterIds.length === 0) return new Map();
    const stored = await this.#redis.mget(clusterIds.map(resultKey));
    return new Map(
      clusterIds.flatMap((id, at) => {
        const text = stored[at] ?? null;
        return text === null
          ? []
          : [[id, parseStored<LiteClusterHealth>(storedForms.healthResult, text)] as const];
      }),
    );
  }

  /** For a cluster that is no longer checked. */
  async remove(clusterId: string): Promise<void> {
    await this.#redis.del(resultKey(clusterId));
  }
}
