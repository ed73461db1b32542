import { flag, key, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';

const trustRecord = declareRecord('identity', 'trust', {
  id: key(),
  trustor_user_id: text(),
  trustee_user_id: text(),
  project_id: text(),
  impersonation: flag(false),
  /** Null if the trust does not expire. */
  expires_at: textOrNull(),
});

type TrustRecord = RecordOf<typeof trustRecord>;

interface TrustCreate {
  trustor_user_id: string;
  trustee_user_id: string;
  project_id: string;
  impersonation: boolean;
  roles: ({ name: string } | { id: string })[];
  expires_at?: string;
}

type TrustQuery = { trustor_user_id?: string; trustee_user_id?: string };

const TRUSTS_PATH = '/OS-TRUST/trusts';

/** A trust lets its trustee act in the trustor's project with the given roles. */
export class Trusts {
  readonly #identity: ServiceClient;

  constructor(identity: ServiceClient) {
    this.#identity = identity;
  }

  list(query?: TrustQuery): Promise<TrustRecord[]> {
    return this.#identity.list('trusts.list', TRUSTS_PATH, 'trusts', trustRecord, query);
  }

  get(id: string): Promise<TrustRecord> {
    return this.#identity.getRecord('trusts.get', path`/OS-TRUST/trusts/${id}`, 'trust', trustRecord);
  }

  create(trust: TrustCreate): Promise<TrustRecord> {
    return this.#identity.postRecord('trusts.create', TRUSTS_PATH, 'trust', trustRecord, {
      trust,
    });
  }

  remove(id: string): Promise<void> {
    return this.#identity.remove('trusts.remove', path`/OS-TRUST/trusts/${id}`);
  }
}
