import { type Redis, replaceFieldScript } from '@gateway/store';
import { autoBackupKeys } from './keys.ts';

/** A delegation that no configuration uses any more. */
interface RetiredDelegation {
  field: string;
  configurationId: string;
  sealed: string;
}

/** The delegations that must be revoked. The scripts that change configurations add them. */
export class RetiredDelegations {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  async read(): Promise<RetiredDelegation[]> {
    const retired = await this.#redis.hgetall(autoBackupKeys.retired);
    return Object.entries(retired).map(([field, sealed]) => ({
      field,
      configurationId: field.split('/')[0] ?? '',
      sealed,
    }));
  }

  async remove({ field, sealed: expected }: RetiredDelegation): Promise<void> {
    const args = { field, expected, value: '' };
    await replaceFieldScript.run(this.#redis, { hash: autoBackupKeys.retired }, args);
  }
}
