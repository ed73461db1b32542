import { formatStored, newId, parseStored, storedForms } from '@gateway/core';
import type { Redis } from '@gateway/store';

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

/** An application credential that is being created for a job. Its user and name identify it. */
export interface CredentialMakerIntent {
  userId: string;
  /** Unique among the user's credentials. */
  name: string;
  jobId: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** Milliseconds since the epoch. */
  since: number;
}

/**
 * Written before a credential is created for a job, and removed once the job has it or it is removed. A
 * remaining intent belongs to a process that died in between, or to a call without a response: workers find
 * the credential and remove it (decision 24).
 */
export class Intents<Intent extends object> {
  readonly #redis: Redis;
  readonly #key: string;

  constructor(redis: Redis, key: string) {
    this.#redis = redis;
    this.#key = key;
  }

  /** Stores an intent, or replaces one whose credential was certainly not created. Returns the id. */
  async put(intent: Intent, id = newId()): Promise<string> {
    await this.#redis.hset(this.#key, id, formatStored(storedForms.intent, intent));
    return id;
  }

  async readAll(): Promise<Map<string, Intent>> {
    const stored = Object.entries(await this.#redis.hgetall(this.#key));
    return new Map(stored.map(([id, intent]) => [id, parseStored<Intent>(storedForms.intent, intent)]));
  }

  async remove(id: string): Promise<void> {
    await this.#redis.hdel(this.#key, id);
  }
}
