import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';

export interface TrustRecord {
  id: string;
  trustor_user_id: string;
  trustee_user_id: string;
  project_id: string;
  impersonation: boolean;
  /** Null: until revoked. */
  expires_at: string | null;
  remaining_uses: number | null;
  /** Absent in lists. */
  roles?: { id: string; name: string }[];
}

export interface TrustCreate {
  trustor_user_id: string;
  trustee_user_id: string;
  project_id: string;
  impersonation: boolean;
  roles: ({ name: string } | { id: string })[];
  expires_at?: string;
}

export type TrustQuery = { trustor_user_id?: string; trustee_user_id?: string };

const trustsPath = '/OS-TRUST/trusts';

/** Delegations: a trust lets its trustee act in the trustor's project with the roles named. */
export class Trusts {
  readonly #identity: ServiceClient;

  constructor(identity: ServiceClient) {
    this.#identity = identity;
  }

  list(query?: TrustQuery): Promise<TrustRecord[]> {
    return this.#identity.list('trusts.list', trustsPath, 'trusts', query);
  }

  async get(id: string): Promise<TrustRecord> {
    const answer = await this.#identity.get<{ trust: TrustRecord }>(
      'trusts.get',
      path`/OS-TRUST/trusts/${id}`,
    );
    return answer.trust;
  }

  async create(trust: TrustCreate): Promise<TrustRecord> {
    const answer = await this.#identity.post<{ trust: TrustRecord }>('trusts.create', trustsPath, { trust });
    return answer.trust;
  }

  remove(id: string): Promise<void> {
    return this.#identity.remove('trusts.remove', path`/OS-TRUST/trusts/${id}`);
  }
}
