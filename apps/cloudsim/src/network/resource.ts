import { envelope, type JsonObject } from '../common/json.ts';
import { badRequest } from '../common/service-error.ts';
import {
  type Caller,
  created,
  noContent,
  type Operation,
  ok,
  operation,
  type Reply,
} from '../http/operation.ts';
import { nextQuery, pageOf } from '../http/page.ts';
import type { NetworkCall, NetworkCloud } from './cloud.ts';
import type { Wire } from './present.ts';
import { missing } from './records.ts';
import type { NetworkState, Owned } from './state.ts';

/** What makes one kind of record a REST resource; all of them list, filter and page alike. */
export interface Resource<T extends Owned> {
  /** As in paths and operation names. */
  path: string;
  plural: string;
  singular: keyof typeof missing;
  records(state: NetworkState): Map<string, T>;
  /** What must be there before a project first looks. */
  prepare?(cloud: NetworkCloud, caller: Caller): void;
  visible(cloud: NetworkCloud, caller: Caller, record: T): boolean;
  present(cloud: NetworkCloud, caller: Caller, record: T): Wire;
  create(cloud: NetworkCloud, caller: Caller, given: JsonObject): T;
  update?(cloud: NetworkCloud, caller: Caller, id: string, given: JsonObject): T;
  remove(cloud: NetworkCloud, caller: Caller, id: string): void;
}

const NOT_FILTERS = new Set(['limit', 'marker', 'page_reverse', 'fields', 'sort_key', 'sort_dir']);

export function resourceOperations<T extends Owned>(resource: Resource<T>): Operation<NetworkCloud>[] {
  const { path, plural, singular } = resource;
  const name = plural === 'floatingips' ? 'floating_ips' : plural;
  const given = (call: NetworkCall): JsonObject =>
    envelope(call.body, singular, () =>
      badRequest(`Unable to find '${singular}' in request body`, 'HTTPBadRequest'),
    );
  const find = (call: NetworkCall): T => {
    const id = call.params.id ?? '';
    const record = resource.records(call.cloud.network).get(id);
    if (record === undefined || !resource.visible(call.cloud, call.caller, record))
      throw missing[singular](id);
    return record;
  };
  const one = (call: NetworkCall, record: T): object => ({
    [singular]: resource.present(call.cloud, call.caller, record),
  });
  const id = (call: NetworkCall): string => call.params.id ?? '';
  const operations: Operation<NetworkCloud>[] = [
    operation(`${name}.list`, `GET /${path}`, (call) => list(resource, call)),
    operation(`${name}.create`, `POST /${path}`, (call) =>
      created(one(call, resource.create(call.cloud, call.caller, given(call)))),
    ),
    operation(`${name}.get`, `GET /${path}/:id`, (call) => ok(chosen(call, one(call, find(call)), singular))),
    operation(`${name}.delete`, `DELETE /${path}/:id`, (call) => {
      resource.remove(call.cloud, call.caller, id(call));
      return noContent();
    }),
  ];
  const { update } = resource;
  if (update === undefined) return operations;
  return [
    ...operations,
    operation(`${name}.update`, `PUT /${path}/:id`, (call) =>
      ok(one(call, update(call.cloud, call.caller, id(call), given(call)))),
    ),
    operation(`${name}.replace_tags`, `PUT /${path}/:id/tags`, (call) => {
      const record = find(call);
      record.tags = tagsIn(call);
      return ok({ tags: record.tags });
    }),
  ];
}

function tagsIn(call: NetworkCall): string[] {
  const body = call.body as { tags?: unknown } | undefined;
  if (!Array.isArray(body?.tags)) throw badRequest('Invalid tags body', 'HTTPBadRequest');
  return body.tags.map(String);
}

/** Any field filters; several values of one field mean any of them. Sorted by id, as the original does. */
function list<T extends Owned>(resource: Resource<T>, call: NetworkCall): Reply {
  const { cloud, caller, query } = call;
  const filters = [...new Set(query.keys())].filter((key) => !NOT_FILTERS.has(key));
  let rows: Wire[] = [];
  resource.prepare?.(cloud, caller);
  for (const record of resource.records(cloud.network).values()) {
    if (!resource.visible(cloud, caller, record)) continue;
    const row = resource.present(cloud, caller, record);
    if (filters.every((key) => matches(row, key, query.getAll(key)))) rows.push(row);
  }
  rows.sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
  const links = paged(resource, call, rows);
  rows = links?.items ?? rows;
  const body: Wire = { [resource.plural]: rows.map((row) => onlyFields(row, query.getAll('fields'))) };
  if (links !== undefined && links.links.length > 0) body[`${resource.plural}_links`] = links.links;
  return ok(body);
}

function matches(row: Wire, key: string, values: string[]): boolean {
  if (key === 'tags') {
    const tags = row.tags as string[];
    return values.every((value) => value.split(',').every((tag) => tags.includes(tag)));
  }
  if (key === 'fixed_ips') return values.some((value) => hasFixedIp(row.fixed_ips, value));
  if (!(key in row)) return true;
  const actual = row[key];
  if (Array.isArray(actual)) return values.some((value) => actual.includes(value));
  if (typeof actual === 'boolean') return values.some((value) => truth(value) === actual);
  return values.some((value) => String(actual ?? '') === value);
}

function truth(value: string): boolean {
  return ['true', '1', 'yes', 'on'].includes(value.toLowerCase());
}

function hasFixedIp(fixedIps: unknown, wanted: string): boolean {
  const [key = '', value] = wanted.split('=');
  if (!Array.isArray(fixedIps)) return false;
  return fixedIps.some((fixed: Record<string, unknown>) => fixed[key] === value);
}

function onlyFields(row: Wire, fields: string[]): Wire {
  if (fields.length === 0) return row;
  return Object.fromEntries(Object.entries(row).filter(([key]) => fields.includes(key)));
}

function chosen(call: NetworkCall, body: object, singular: string): object {
  const fields = call.query.getAll('fields');
  if (fields.length === 0) return body;
  return { [singular]: onlyFields((body as Record<string, Wire>)[singular] ?? {}, fields) };
}

function paged<T extends Owned>(
  resource: Resource<T>,
  call: NetworkCall,
  rows: Wire[],
): { items: Wire[]; links: object[] } | undefined {
  const { query } = call;
  const limit = Number(query.get('limit') ?? 0);
  const marker = query.get('marker');
  if (limit === 0 && marker === null) return undefined;
  const { items, more } = pageOf(
    rows,
    (row) => String(row.id),
    marker,
    limit || rows.length,
    missing[resource.singular],
  );
  const link = (rel: string, row: Wire | undefined, suffix: string): object => ({
    rel,
    href: `${call.base}/${resource.path}?${nextQuery(query, String(row?.id))}${suffix}`,
  });
  const links: object[] = [];
  // The original offers a next page whenever this one is full.
  if (limit > 0 && (more || items.length === limit)) links.push(link('next', items.at(-1), ''));
  if (items.length > 0) links.push(link('previous', items[0], '&page_reverse=True'));
  return { items, links };
}
