import type { RecordDeclaration } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import type { PageQuery, Query } from '../url.ts';
import type { Domains } from './domains.ts';
import { IdentityCollection } from './identity-collection.ts';

/** Records of several domains are in no order of domains. */
const SAMPLE_SIZE = 100;

/** Users and groups. Each domain may have a directory of its own for them. */
export class DomainMembers<
  Item extends { id: string; domain_id: string },
  Create extends object,
  Update extends object,
  Filter extends Query & { domain_id?: string },
> extends IdentityCollection<Item, Create, Update, Filter> {
  readonly #domains: Domains;

  constructor(
    identity: ServiceClient,
    domains: Domains,
    plural: string,
    singular: string,
    record: RecordDeclaration<Item>,
  ) {
    super(identity, plural, singular, record);
    this.#domains = domains;
  }

  /**
   * The records of all domains. Where domains have directories of their own, the service lists only the
   * domain of the token's project. Records of two domains prove that there are no such directories. If a
   * domain's directory is unreachable, the list fails, so that a part is never taken for the whole.
   */
  override async list(query?: Filter): Promise<Item[]> {
    const found = await super.list(query);
    const listed = domainsOf(found);
    if (query?.domain_id !== undefined || listed.size > 1) return found;
    if (isSearch(query) && (await this.#listsAllDomains())) return found;
    for (const { id } of await this.#domains.list()) {
      if (listed.has(id)) continue;
      for (const item of await super.list({ ...query, domain_id: id } as Filter)) found.push(item);
    }
    return found;
  }

  /** A search may find nothing in the other domains, but the beginning of the whole list shows them. */
  async #listsAllDomains(): Promise<boolean> {
    const { items } = await this.listPage({ limit: SAMPLE_SIZE } as Filter & PageQuery);
    return domainsOf(items).size > 1;
  }
}

function domainsOf(items: readonly { domain_id: string }[]): Set<string> {
  return new Set(items.map(({ domain_id }) => domain_id));
}

function isSearch(query: Query = {}): boolean {
  return Object.values(query).some((value) => value !== undefined);
}
