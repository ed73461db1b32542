import type { ListPage } from './pagination.ts';
import { path } from './path.ts';
import type { PageQuery, Query } from './query.ts';
import type { ServiceClient } from './service.ts';

/** As many ids as the address of a request can hold. */
const MAX_IDS = 100;

/** CRUD operations of a resource of the network or the load balancer service: the resources differ in their fields only. */
export class Collection<Item, Create extends object, Update extends object, Filter extends Query> {
  protected readonly service: ServiceClient;
  readonly #path: string;
  readonly #plural: string;
  readonly #singular: string;
  readonly #noun: string;

  /**
   * `plural` and `singular` are the names in bodies; `noun` is the first part of operation names. Paths have the plural, with
   * hyphens in place of underscores, below `root`.
   */
  constructor(service: ServiceClient, plural: string, singular: string, noun: string, root = '') {
    this.service = service;
    this.#path = `${root}/${plural.replaceAll('_', '-')}`;
    this.#plural = plural;
    this.#singular = singular;
    this.#noun = noun;
  }

  list(query?: Filter): Promise<Item[]> {
    return this.service.list(`${this.#noun}.list`, this.#path, this.#plural, query);
  }

  listPage(query: Filter & PageQuery): Promise<ListPage<Item>> {
    return this.service.page(`${this.#noun}.listPage`, this.#path, this.#plural, query);
  }

  /** Those of the items that there are, One call for up to 100 of them. */
  async listByIds(ids: readonly string[]): Promise<Item[]> {
    const distinct = [...new Set(ids)];
    const parts = Array.from({ length: Math.ceil(distinct.length / MAX_IDS) }, (_, index) =>
      distinct.slice(index * MAX_IDS, (index + 1) * MAX_IDS),
    );
    return (await Promise.all(parts.map((id) => this.list({ id } as unknown as Filter)))).flat();
  }

  get(id: string): Promise<Item> {
    return this.service.getRecord(`${this.#noun}.get`, this.#pathOf(id), this.#singular);
  }

  create(item: Create): Promise<Item> {
    const body = { [this.#singular]: item };
    return this.service.postRecord(`${this.#noun}.create`, this.#path, this.#singular, body);
  }

  update(id: string, changes: Update): Promise<Item> {
    const body = { [this.#singular]: changes };
    return this.service.putRecord(`${this.#noun}.update`, this.#pathOf(id), this.#singular, body);
  }

  remove(id: string): Promise<void> {
    return this.service.remove(`${this.#noun}.remove`, this.#pathOf(id));
  }

  #pathOf(id: string): string {
    return this.#path + path`/${id}`;
  }
}
