import { newId } from '@gateway/core';
import type { Redis } from '@gateway/redis';
import { jobKeys } from '../keys.ts';

/**
 * A delegation that is being created for a job. Its users, project and expiry identify it if its creator
 * dies.
 */
export interface DelegationIntent {
  trustorId: string;
  projectId: string;
  /** ISO 8601. */
  expiresAt: string;
  /** Milliseconds since the epoch. */
  since: number;
}

/**
 * Written before a delegation is created, and removed once a job works with it or it is revoked. A remaining
 * intent belongs to a process that died in between: workers find and revoke its delegation (decision 24).
 */
export class DelegationIntents {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** Stores an intent, or replaces one whose delegation was certainly not created. Returns the id. */
  async put(intent: DelegationIntent, id = newId()): Promise<string> {
    await this.#redis.hset(jobKeys.delegationIntents, id, JSON.stringify(intent));
    return id;
  }

  async readAll(): Promise<Map<string, DelegationIntent>> {
    const stored = Object.entries(await this.#redis.hgetall(jobKeys.delegationIntents));
    return new Map(stored.map(([id, intent]) => [id, JSON.parse(intent) as DelegationIntent]));
  }

  async remove(id: string): Promise<void> {
    await this.#redis.hdel(jobKeys.delegationIntents, id);
  }
}
