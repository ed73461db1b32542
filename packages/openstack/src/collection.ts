import type { ListPage } from './pagination.ts';
import { path } from './path.ts';
import type { PageQuery, Query } from './query.ts';
import type { ServiceClient } from './service.ts';

/** As many ids as the address of a request can hold. */
const MAX_IDS = 100;

const PAGE_SIZE = 1000;

interface CollectionNames {
  /** The key of a list in bodies. */
  plural: string;
  /** The key of a record in bodies. */
  singular: string;
  /** The first part of operation names. */
  noun: string;
  path: string;
  /** Where lists with all fields are, if not at `path`. */
  listPath?: string;
}

/** The operations that the resources of several services have in common. `Created` is what the response to a create contains. */
export class BasicCollection<Item, Create extends object, Filter extends Query, Created = Item> {
  protected readonly service: ServiceClient;
  protected readonly names: CollectionNames;

  constructor(service: ServiceClient, names: CollectionNames) {
    this.service = service;
    this.names = names;
  }

  list(query?: Filter): Promise<Item[]> {
    const { noun, plural } = this.names;
    return this.service.list(`${noun}.list`, this.listPath, plural, query);
  }

  /** The same, with each record shaped as its page arrives: for lists of the whole cloud. */
  listAs<Row>(present: (item: Item) => Row, query?: Filter): Promise<Row[]> {
    const { noun, plural } = this.names;
    return this.service.listAs(`${noun}.list`, this.listPath, plural, present, query);
  }

  listPage(query: Filter & PageQuery): Promise<ListPage<Item>> {
    const { noun, plural } = this.names;
    return this.service.page(`${noun}.listPage`, this.listPath, plural, query);
  }

  get(id: string): Promise<Item> {
    return this.service.getRecord(`${this.names.noun}.get`, this.pathOf(id), this.names.singular);
  }

  create(item: Create): Promise<Created> {
    const { noun, path: at, singular } = this.names;
    return this.service.postRecord(`${noun}.create`, at, singular, { [singular]: item });
  }

  remove(id: string): Promise<void> {
    return this.service.remove(`${this.names.noun}.remove`, this.pathOf(id));
  }

  protected pathOf(id: string): string {
    return this.names.path + path`/${id}`;
  }

  protected get listPath(): string {
    return this.names.listPath ?? this.names.path;
  }
}

/** CRUD operations of a resource of the network or the load balancer service: the resources differ in their fields only. */
export class Collection<
  Item,
  Create extends object,
  Update extends object,
  Filter extends Query,
> extends BasicCollection<Item, Create, Filter> {
  /**
   * `plural` and `singular` are the names in bodies; `noun` is the first part of operation names. Paths have the plural, with
   * hyphens in place of underscores, below `root`.
   */
  constructor(service: ServiceClient, plural: string, singular: string, noun: string, root = '') {
    super(service, { plural, singular, noun, path: `${root}/${plural.replaceAll('_', '-')}` });
  }

  /**
   * All items with only these fields, each shaped as its page arrives. Without a `limit` the network service sends all
   * records in one response.
   */
  listFields<Field extends keyof Item & string, Row>(
    fields: readonly Field[],
    present: (item: Pick<Item, Field>) => Row,
    query?: Filter,
  ): Promise<Row[]> {
    const { noun, plural } = this.names;
    return this.service.listAs(`${noun}.list`, this.listPath, plural, present, {
      ...query,
      fields,
      limit: PAGE_SIZE,
    });
  }

  /** Those of the items that there are. One call for up to 100 of them. */
  async listByIds(ids: readonly string[]): Promise<Item[]> {
    const distinct = [...new Set(ids)];
    const parts = Array.from({ length: Math.ceil(distinct.length / MAX_IDS) }, (_, index) =>
      distinct.slice(index * MAX_IDS, (index + 1) * MAX_IDS),
    );
    return (await Promise.all(parts.map((id) => this.list({ id } as unknown as Filter)))).flat();
  }

  /** @throws an `isStale` error if the record does not have the revision `ifRevision` */
  update(id: string, changes: Update, ifRevision?: number): Promise<Item> {
    const { noun, singular } = this.names;
    const options = { body: { [singular]: changes }, ifRevision };
    return this.service.putRecord(`${noun}.update`, this.pathOf(id), singular, options);
  }

  /** @throws an `isStale` error if the record does not have the revision `ifRevision` */
  override remove(id: string, ifRevision?: number): Promise<void> {
    return this.service.remove(`${this.names.noun}.remove`, this.pathOf(id), { ifRevision });
  }
}
