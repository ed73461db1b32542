import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';

interface TrustRecord {
  id: string;
  trustor_user_id: string;
  trustee_user_id: string;
  project_id: string;
  impersonation: boolean;
  /** Null if the trust does not expire. */
  expires_at: string | null;
  remaining_uses: number | null;
  /** Absent in lists. */
  roles?: { id: string; name: string }[];
}

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
    return this.#identity.list('trusts.list', TRUSTS_PATH, 'trusts', query);
  }

  get(id: string): Promise<TrustRecord> {
    return this.#identity.getRecord<TrustRecord>('trusts.get', path`/OS-TRUST/trusts/${id}`, 'trust');
  }

  create(trust: TrustCreate): Promise<TrustRecord> {
    return this.#identity.postRecord<TrustRecord>('trusts.create', TRUSTS_PATH, 'trust', {
      trust,
    });
  }

  remove(id: string): Promise<void> {
    return this.#identity.remove('trusts.remove', path`/OS-TRUST/trusts/${id}`);
  }
}
