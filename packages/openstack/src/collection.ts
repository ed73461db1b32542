import type { ListPage } from './pagination.ts';
import type { RecordDeclaration, RecordReader } from './records/record.ts';
import type { ServiceClient } from './service.ts';
import { type PageQuery, path, type Query } from './url.ts';

/** The number of ids that fit into the URL of a request. */
const MAX_IDS = 100;

const PAGE_SIZE = 1000;

interface CollectionNames<Item, Created> {
  record: RecordDeclaration<Item>;
  /** The content of the response to a create request, if it is not the record. */
  created?: RecordReader<Created>;
  /** The key of a list in request and response bodies. */
  plural: string;
  /** The key of a record in request and response bodies. */
  singular: string;
  /** The first part of operation names. */
  noun: string;
  path: string;
  /** The path of lists with all fields, if it is not `path`. */
  listPath?: string;
}

/**
 * The operations that resources of several services share. `Created` is the content of the
 * response to a create request.
 */
export class BasicCollection<Item, Create extends object, Filter extends Query, Created = Item> {
  protected readonly service: ServiceClient;
  protected readonly names: CollectionNames<Item, Created>;

  constructor(service: ServiceClient, names: CollectionNames<Item, Created>) {
    this.service = service;
    this.names = names;
  }

  list(query?: Filter): Promise<Item[]> {
    return this.listAs((item) => item, query);
  }

  /** Like `list`, but maps each record as its page arrives: for lists of the whole cloud. */
  listAs<Row>(present: (item: Item) => Row, query?: Filter): Promise<Row[]> {
    const { noun, plural, record } = this.names;
    return this.service.listAs(`${noun}.list`, this.listPath, plural, record, present, query);
  }

  listPage(query: Filter & PageQuery): Promise<ListPage<Item>> {
    const { noun, plural, record } = this.names;
    return this.service.page(`${noun}.listPage`, this.listPath, plural, record, query);
  }

  get(id: string): Promise<Item> {
    const { noun, record, singular } = this.names;
    return this.service.getRecord(`${noun}.get`, this.pathOf(id), singular, record);
  }

  create(item: Create): Promise<Created> {
    const { created, noun, path: at, record, singular } = this.names;
    const answer = created ?? (record as unknown as RecordReader<Created>);
    return this.service.postRecord(`${noun}.create`, at, singular, answer, { [singular]: item });
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

/**
 * CRUD operations for a resource of the network or the load balancer service. Their resources
 * differ only in their fields.
 */
export class Collection<
  Item,
  Create extends object,
  Update extends object,
  Filter extends Query,
> extends BasicCollection<Item, Create, Filter> {
  /**
   * `plural` and `singular` are the names in bodies. `noun` is the first part of operation names. Paths
   * consist of `root` and the plural, with hyphens in place of underscores.
   */
  constructor(
    service: ServiceClient,
    plural: string,
    singular: string,
    noun: string,
    root: string,
    record: RecordDeclaration<Item>,
  ) {
    super(service, { plural, singular, noun, path: `${root}/${plural.replaceAll('_', '-')}`, record });
  }

  /**
   * All items with only these fields, and the project if the query names one, to compare the rows with it.
   * Mapped as their page arrives. Without a `limit` the network service sends all records in one response.
   */
  listFields<Field extends keyof Item & string, Row>(
    fields: readonly Field[],
    present: (item: Pick<Item, Field>) => Row,
    query?: Filter,
  ): Promise<Row[]> {
    const { noun, plural, record } = this.names;
    const compared = query?.project_id === undefined ? fields : [...new Set([...fields, 'project_id'])];
    return this.service.listAs(`${noun}.list`, this.listPath, plural, record.only(fields), present, {
      ...query,
      fields: record.asked(compared),
      limit: PAGE_SIZE,
    });
  }

  /** The items with these ids that exist. One call for up to 100 ids. */
  async listByIds(ids: readonly string[]): Promise<Item[]> {
    const distinct = [...new Set(ids)];
    const parts = Array.from({ length: Math.ceil(distinct.length / MAX_IDS) }, (_, index) =>
      distinct.slice(index * MAX_IDS, (index + 1) * MAX_IDS),
    );
    return (await Promise.all(parts.map((id) => this.list({ id } as unknown as Filter)))).flat();
  }

  /**
   * @throws an `isStale` error if the record's revision is not `ifRevision`
   */
  update(id: string, changes: Update, ifRevision?: number | null): Promise<Item> {
    const { noun, record, singular } = this.names;
    const options = { body: { [singular]: changes }, ifRevision };
    return this.service.putRecord(`${noun}.update`, this.pathOf(id), singular, record, options);
  }

  /**
   * @throws an `isStale` error if the record's revision is not `ifRevision`
   */
  override remove(id: string, ifRevision?: number | null): Promise<void> {
    return this.service.remove(`${this.names.noun}.remove`, this.pathOf(id), { ifRevision });
  }
}
