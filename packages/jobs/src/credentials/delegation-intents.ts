import { newId } from '@gateway/core';
import type { Redis } from '@gateway/redis';
import { jobKeys } from '../keys.ts';

/** A delegation that is being created for a job. Its users, project and expiry identify it if its creator dies. */
export interface DelegationIntent {
  trustorId: string;
  projectId: string;
  /** ISO 8601. */
  expiresAt: string;
  /** Milliseconds since the epoch. */
  since: number;
}

/**
 * Written before a delegation is created, and removed once a job works with it or it is revoked. What remains belongs to processes that
 * died in between: the workers find and revoke such delegations (decision 24).
 */
export class DelegationIntents {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** Also replaces an intent whose delegation certainly was not created. Returns its id. */
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
