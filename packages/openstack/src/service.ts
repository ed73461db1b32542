import type { ItemShape } from '@gateway/core';
import { keptRows, LEFT_OUT } from './asked-rows.ts';
import type { Method } from './call.ts';
import { invalidResponseError } from './errors/from-response.ts';
import { collectByOffset, collectPages, type ListPage, readPage } from './pagination.ts';
import type { OddRecords } from './records/odd-records.ts';
import type { RecordReader } from './records/record.ts';
import { type RequestOptions, type ServiceBinding, ServiceRequests } from './service-requests.ts';
import type { Transport } from './transport.ts';
import { type Query, queryString } from './url.ts';

interface OffsetOptions<T> {
  /** `rows` has something else in the places of rows that are left out. */
  isWhole?: (rows: readonly T[], page: Record<string, unknown>) => boolean;
  microversion?: string;
}

/** How a response has a record: under a key, or as its whole body (null). */
type RecordKey = string | null;

/** Of lists that are paged by offset. */
const PAGE_SIZE = 1000;

/** Requests to one service for one identity, and the records in its responses. */
export class ServiceClient extends ServiceRequests {
  readonly #requestId: string;
  readonly #oddRecords: OddRecords;

  constructor(transport: Transport, binding: ServiceBinding & { oddRecords: OddRecords }) {
    super(transport, binding);
    this.#requestId = binding.call.requestId;
    this.#oddRecords = binding.oddRecords;
  }

  /**
   * All records of a list, from all its pages. `key` is the list's name in the response body. As in every
   * list, rows that the query did not ask for are left out, and so are rows that cannot be records.
   */
  list<T>(
    operation: string,
    path: string,
    key: string,
    record: RecordReader<T>,
    query?: Query,
  ): Promise<T[]> {
    return this.listAs(operation, path, key, record, (item) => item, query);
  }

  /** Like `list`, but maps each record as its page arrives: for lists of the whole cloud. */
  async listAs<T, Row>(
    operation: string,
    path: string,
    key: string,
    record: RecordReader<T>,
    present: (item: T) => Row,
    query?: Query,
  ): Promise<Row[]> {
    const shape = this.#shapeOf(key, record, present);
    const fetchPage = (search: string) =>
      this.requestJson<Record<string, unknown>>('GET', operation, path + search, { shape });
    const context = { service: this.service, operation };
    return keptRows(await collectPages<Row>(fetchPage, key, queryString(query), context));
  }

  /**
   * Like `list`, for services that send no next links. The list ends with a page without new rows, or once
   * `isWhole`: by default when there are as many rows as the service has counted, if the query asks for a
   * count.
   */
  async listByOffset<T>(
    operation: string,
    path: string,
    key: string,
    record: RecordReader<T>,
    query: Query,
    options: OffsetOptions<T> = {},
  ): Promise<T[]> {
    const { isWhole = (rows, page) => rows.length >= Number(page.count), microversion } = options;
    const fetchPage = (offset: number) => {
      const part = { ...query, limit: PAGE_SIZE, offset };
      return this.#listPage(operation, path, key, record, part, microversion);
    };
    const context = { service: this.service, operation };
    return keptRows(await collectByOffset<T>(fetchPage, key, isWhole, context));
  }

  /** One page of a list, selected by `limit` and `marker` in the query. */
  async page<T>(
    operation: string,
    path: string,
    key: string,
    record: RecordReader<T>,
    query: Query,
  ): Promise<ListPage<T>> {
    const body = await this.#listPage(operation, path, key, record, query);
    const { hasMore, items } = readPage<T>(body, key, { service: this.service, operation });
    return { hasMore, items: keptRows(items) };
  }

  #listPage<T>(
    operation: string,
    path: string,
    key: string,
    record: RecordReader<T>,
    query: Query,
    microversion?: string,
  ): Promise<Record<string, unknown>> {
    const shape = this.#shapeOf(key, record, (item) => item);
    return this.requestJson('GET', operation, path, { query, shape, microversion });
  }

  #shapeOf<T>(key: string, record: RecordReader<T>, present: (item: T) => unknown): ItemShape {
    const presentRow = (row: unknown) => {
      const item = this.#readRow(record, row);
      return item === null ? LEFT_OUT : present(item);
    };
    return { key, present: presentRow };
  }

  /** The records among rows that are in no list of their own in the response. */
  readRows<T>(record: RecordReader<T>, rows: unknown): T[] {
    if (!Array.isArray(rows)) return [];
    return rows.map((row) => this.#readRow(record, row)).filter((item) => item !== null);
  }

  #readRow<T>(record: RecordReader<T>, row: unknown): T | null {
    const item = record.read(row);
    if (item === null) this.#oddRecords.leaveOut(this.service, record.name, row, this.#requestId);
    return item;
  }

  /** The record under `key` in the response body. A response without the record is a 502. */
  getRecord<T>(
    operation: string,
    path: string,
    key: RecordKey,
    record: RecordReader<T>,
    query?: Query,
  ): Promise<T> {
    return this.sendRecord('GET', operation, path, key, record, { query });
  }

  /** Like `getRecord`, for the response to a POST. */
  postRecord<T>(
    operation: string,
    path: string,
    key: RecordKey,
    record: RecordReader<T>,
    body: unknown,
  ): Promise<T> {
    return this.sendRecord('POST', operation, path, key, record, { body });
  }

  /** Like `getRecord`, for the response to a PUT. */
  putRecord<T>(
    operation: string,
    path: string,
    key: RecordKey,
    record: RecordReader<T>,
    options: Pick<RequestOptions, 'body' | 'idempotent' | 'ifRevision'>,
  ): Promise<T> {
    return this.sendRecord('PUT', operation, path, key, record, options);
  }

  /** Like `getRecord`, for the response to a PATCH. */
  patchRecord<T>(
    operation: string,
    path: string,
    key: RecordKey,
    record: RecordReader<T>,
    body: unknown,
  ): Promise<T> {
    return this.sendRecord('PATCH', operation, path, key, record, { body });
  }

  /** Like `getRecord`, for the response to any request. */
  async sendRecord<T>(
    method: Method,
    operation: string,
    path: string,
    key: RecordKey,
    record: RecordReader<T>,
    options: RequestOptions,
  ): Promise<T> {
    const body = await this.requestJson<Record<string, unknown>>(method, operation, path, options);
    const found = record.read(key === null ? body : body[key]);
    if (found !== null) return found;
    const context = { service: this.service, operation };
    const what = key === null ? 'not the expected fields' : `no "${key}"`;
    throw invalidResponseError(context, { status: 200 }, `The response has ${what}.`);
  }
}
