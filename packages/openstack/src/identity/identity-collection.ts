import { BasicCollection } from '../collection.ts';
import { laterPage, readWhole } from '../pagination.ts';
import type { RecordDeclaration } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import type { Query } from '../url.ts';

export type NameSearch = {
  name?: string;
  /** A part of the name, in any case. In a database, `_` and `%` stand for other characters as well. */
  name__icontains?: string;
};

/** The service's default maximum of records in a response. */
const PAGE_SIZE = 1000;

/**
 * The operations that users, projects, groups and domains share. For administrators, unless a
 * method says otherwise.
 */
export class IdentityCollection<
  Item extends { id: string },
  Create extends object,
  Update extends object,
  Filter extends Query,
> extends BasicCollection<Item, Create, Filter> {
  readonly #record: RecordDeclaration<Item>;

  constructor(identity: ServiceClient, plural: string, singular: string, record: RecordDeclaration<Item>) {
    super(identity, { plural, singular, noun: plural, path: `/${plural}`, record });
    this.#record = record;
  }

  /**
   * From 2025.1 on, the service truncates a list that is requested without a limit (`max_db_limit`), and
   * links to the next page only with a limit. Older releases ignore limit and marker. Role assignments, the
   * caller's projects and the members of a group are never truncated, and some of these lists reject the
   * parameter, so they do not use this class.
   */
  override list(query?: Filter): Promise<Item[]> {
    return readWhole(() => this.#readPages(query));
  }

  async #readPages(query?: Filter): Promise<Item[]> {
    const { noun, plural } = this.names;
    const operation = `${noun}.list`;
    const found = new Map<string, Item>();
    for (let marker: string | undefined; ; ) {
      const asked = this.service.page(operation, this.listPath, plural, this.#record, {
        ...query,
        limit: PAGE_SIZE,
        marker,
      });
      const context = { service: this.service.service, operation };
      const { items, hasMore } = await (marker === undefined ? asked : laterPage(asked, context));
      // A directory (LDAP) truncates the list too, but ignores markers. Without a limit
      // it returns everything.
      if (items.some(({ id }) => found.has(id))) return super.list(query);
      for (const item of items) found.set(item.id, item);
      marker = items.at(-1)?.id;
      if (!hasMore || marker === undefined) return [...found.values()];
    }
  }

  /** Throws a 400 without any changes. */
  update(id: string, changes: Update): Promise<Item> {
    const { noun, singular } = this.names;
    return this.service.patchRecord(`${noun}.update`, this.pathOf(id), singular, this.#record, {
      [singular]: changes,
    });
  }
}
