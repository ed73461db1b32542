import { formatStored, newId, parseStored, storedForms } from '@gateway/core';
import { type Redis, replaceFieldScript, replicatedWrite } from '@gateway/store';

/**
 * A delegation that is being created for a job or an auto backup. Its users, project and expiry identify it
 * if its creator dies.
 */
export interface DelegationIntent {
  trustorId: string;
  projectId: string;
  /** ISO 8601. */
  expiresAt: string;
  /** Milliseconds since the epoch. */
  since: number;
  /** Set before the delegation is searched for and revoked. From then on no auto backup can adopt it. */
  isAbandoned?: true;
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

/** An intent as it is stored. */
export interface StoredIntent {
  id: string;
  value: string;
}

/**
 * Written before a delegation or a credential is created, and removed once its user has it or it is removed.
 * A remaining intent belongs to a process that died in between, or to a call without a response: workers find
 * what was created and remove it (`settleIntents`; decisions 24 and 206).
 */
export class Intents<Intent extends object> {
  readonly #redis: Redis;
  readonly #key: string;

  constructor(redis: Redis, key: string) {
    this.#redis = redis;
    this.#key = key;
  }

  /** Stores an intent, or replaces one whose credential was certainly not created. */
  async put(intent: Intent, id = newId()): Promise<StoredIntent> {
    const value = formatStored(storedForms.intent, intent);
    await replicatedWrite(this.#redis, this.#key, (pipeline) => pipeline.hset(this.#key, id, value));
    return { id, value };
  }

  size(): Promise<number> {
    return this.#redis.hlen(this.#key);
  }

  /** @throws for an intent that this release cannot read: its request may be running */
  async readAll(): Promise<Map<string, Intent>> {
    const stored = Object.entries(await this.#redis.hgetall(this.#key));
    return new Map(stored.map(([id, intent]) => [id, parseStored<Intent>(storedForms.intent, intent)]));
  }

  /** Each intent, to be parsed alone. */
  async readStored(): Promise<{ stored: StoredIntent; parse: () => Intent }[]> {
    return Object.entries(await this.#redis.hgetall(this.#key)).map(([id, value]) => ({
      stored: { id, value },
      parse: () => parseStored<Intent>(storedForms.intent, value),
    }));
  }

  /** Returns false if the intent has been changed or removed since it was read. */
  async replace({ id, value: expected }: StoredIntent, intent: Intent): Promise<boolean> {
    const args = { field: id, expected, value: formatStored(storedForms.intent, intent) };
    return (await replaceFieldScript.run(this.#redis, { hash: this.#key }, args)) === 1;
  }

  async remove(id: string): Promise<void> {
    await this.#redis.hdel(this.#key, id);
  }
}
