import { formatStored, newId, parseStored, storedForms } from '@gateway/core';
import type { Delegation } from '@gateway/openstack';
import { type Redis, type ReplicatedWrite, unreplicatedWrite } from '@gateway/store';
import { autoBackupKeys } from './keys.ts';
import { replaceFieldScript } from './scripts/replace-field-script.ts';

/**
 * Written before a delegation is created. Its expiry, which is unique to the second, identifies the
 * delegation if the creator dies.
 */
export interface DelegationIntent extends Omit<Delegation, 'trustId'> {
  /** Milliseconds since the epoch. */
  since: number;
  /** Set before the delegation is searched for and revoked. From then on no configuration can adopt it. */
  isAbandoned?: true;
}

/** An intent as it is stored. */
export interface StoredIntent {
  id: string;
  value: string;
}

/** A delegation that no configuration uses any more. */
interface RetiredDelegation {
  field: string;
  configurationId: string;
  sealed: string;
}

/** The records of delegations that are being created or must be revoked. */
export class DelegationLedger {
  readonly #redis: Redis;
  readonly #write: ReplicatedWrite;

  constructor(redis: Redis, replicatedWrite: ReplicatedWrite = unreplicatedWrite) {
    this.#redis = redis;
    this.#write = replicatedWrite;
  }

  async begin(intent: DelegationIntent): Promise<StoredIntent> {
    const id = newId();
    const value = formatStored(storedForms.intent, intent);
    await this.#write(this.#redis, autoBackupKeys.intents, (pipeline) =>
      pipeline.hset(autoBackupKeys.intents, id, value),
    );
    return { id, value };
  }

  async readIntents(): Promise<{ stored: StoredIntent; intent: DelegationIntent }[]> {
    const intents = await this.#redis.hgetall(autoBackupKeys.intents);
    return Object.entries(intents).map(([id, value]) => ({
      stored: { id, value },
      intent: parseStored<DelegationIntent>(storedForms.intent, value),
    }));
  }

  /** Returns null if a configuration has adopted the delegation. */
  async abandon({ id, value }: StoredIntent, intent: DelegationIntent): Promise<StoredIntent | null> {
    const abandoned = { id, value: formatStored(storedForms.intent, { ...intent, isAbandoned: true }) };
    return (await this.#replace(autoBackupKeys.intents, id, value, abandoned.value)) ? abandoned : null;
  }

  async end({ id, value }: StoredIntent): Promise<void> {
    await this.#replace(autoBackupKeys.intents, id, value, '');
  }

  async readRetired(): Promise<RetiredDelegation[]> {
    const retired = await this.#redis.hgetall(autoBackupKeys.retired);
    return Object.entries(retired).map(([field, sealed]) => ({
      field,
      configurationId: field.split('/')[0] ?? '',
      sealed,
    }));
  }

  async removeRetired({ field, sealed }: RetiredDelegation): Promise<void> {
    await this.#replace(autoBackupKeys.retired, field, sealed, '');
  }

  /** Replaces the sealed delegation of a configuration, unless it has another one by now. */
  async reseal(configurationId: string, sealed: string, renewed: string): Promise<void> {
    await this.#replace(autoBackupKeys.record(configurationId), 'delegation', sealed, renewed);
  }

  async #replace(hash: string, field: string, expected: string, value: string): Promise<boolean> {
    return (await replaceFieldScript.run(this.#redis, { hash }, { field, expected, value })) === 1;
  }
}
