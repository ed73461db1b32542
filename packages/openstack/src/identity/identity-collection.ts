import { BasicCollection } from '../collection.ts';
import type { Query } from '../query.ts';
import type { ServiceClient } from '../service.ts';

/** The operations that users, projects and groups have in common. All of them are for administrators, unless a method says more. */
export class IdentityCollection<
  Item,
  Create extends object,
  Update extends object,
  Filter extends Query,
> extends BasicCollection<Item, Create, Filter> {
  constructor(identity: ServiceClient, plural: string, singular: string) {
    super(identity, { plural, singular, noun: plural, path: `/${plural}` });
  }

  /** Throws a 400 if there is nothing to change. */
  update(id: string, changes: Update): Promise<Item> {
    const { noun, singular } = this.names;
    return this.service.patchRecord(`${noun}.update`, this.pathOf(id), singular, { [singular]: changes });
  }
}
