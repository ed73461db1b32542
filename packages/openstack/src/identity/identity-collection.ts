import { BasicCollection } from '../collection.ts';
import type { Query } from '../query.ts';
import type { ServiceClient } from '../service.ts';

/** As many records as the service puts into a response, unless its operators have changed that. */
const PAGE_SIZE = 1000;

/** The operations that users, projects, groups and domains have in common. All of them are for administrators, unless a method says more. */
export class IdentityCollection<
  Item extends { id: string },
  Create extends object,
  Update extends object,
  Filter extends Query,
> extends BasicCollection<Item, Create, Filter> {
  constructor(identity: ServiceClient, plural: string, singular: string) {
    super(identity, { plural, singular, noun: plural, path: `/${plural}` });
  }

  /**
   * From 2025.1 on, the service cuts a list that is requested without a limit (`max_db_limit`), and links to the rest only if
   * there was one. Older releases ignore limit and marker. Role assignments, the caller's projects and members of a group are
   * always returned whole, and some of these refuse the parameter, so they are no subclasses.
   */
  override async list(query?: Filter): Promise<Item[]> {
    const { noun, plural } = this.names;
    const found = new Map<string, Item>();
    for (let marker: string | undefined; ; ) {
      const page = { ...query, limit: PAGE_SIZE, marker };
      const { items, hasMore } = await this.service.page<Item>(`${noun}.list`, this.listPath, plural, page);
      // A directory (LDAP) cuts the list as well, but knows no markers. Without a limit it returns everything.
      if (items.some(({ id }) => found.has(id))) return super.list(query);
      for (const item of items) found.set(item.id, item);
      marker = items.at(-1)?.id;
      if (!hasMore) return [...found.values()];
    }
  }

  /** Throws a 400 if there is nothing to change. */
  update(id: string, changes: Update): Promise<Item> {
    const { noun, singular } = this.names;
    return this.service.patchRecord(`${noun}.update`, this.pathOf(id), singular, { [singular]: changes });
  }
}
