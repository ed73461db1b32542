import { conflict } from '@gateway/core';
import { Collection } from '../collection.ts';
import type { RecordDeclaration } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import type { Query } from '../url.ts';
import { Extensions } from './extensions.ts';

/**
 * The resources of an extension that a cloud may lack: one whose networks all come from its provider has no
 * routers. Nobody has any there, so lists are empty.
 */
export class ExtensionCollection<
  Item,
  Create extends object,
  Update extends object,
  Filter extends Query,
> extends Collection<Item, Create, Update, Filter> {
  readonly #extension: string;

  constructor(
    network: ServiceClient,
    extension: string,
    plural: string,
    singular: string,
    noun: string,
    record: RecordDeclaration<Item>,
  ) {
    super(network, plural, singular, noun, '', record);
    this.#extension = extension;
  }

  override listAs<Row>(present: (item: Item) => Row, query?: Filter): Promise<Row[]> {
    return this.#unlessLacking(super.listAs(present, query), () => []);
  }

  override listFields<Field extends keyof Item & string, Row>(
    fields: readonly Field[],
    present: (item: Pick<Item, Field>) => Row,
    query?: Filter,
  ): Promise<Row[]> {
    return this.#unlessLacking(super.listFields(fields, present, query), () => []);
  }

  /** @throws 409 in a cloud without the extension */
  override create(item: Create): Promise<Item> {
    return this.#unlessLacking(super.create(item), () => {
      const detail = `The network service of this cloud lacks the extension "${this.#extension}".`;
      throw conflict('not_supported', detail);
    });
  }

  #unlessLacking<T>(call: Promise<T>, otherwise: () => T): Promise<T> {
    return new Extensions(this.service).unlessLacking(this.#extension, call, otherwise);
  }
}
