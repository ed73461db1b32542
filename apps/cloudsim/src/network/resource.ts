import { envelope, type JsonObject } from '../common/json.ts';
import { badRequest, ServiceError } from '../common/service-error.ts';
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
import type { NetworkCall, NetworkCloud, NetworkServiceCloud, NetworkSettings } from './cloud.ts';
import type { WireRecord } from './present.ts';
import { notFoundErrors } from './records.ts';
import type { NetworkRecord, NetworkState } from './state.ts';

/** A kind of record as a REST resource. All resources share listing, filters and paging. */
export interface Resource<T extends NetworkRecord> {
  /** The name in paths and operation names. */
  path: string;
  plural: string;
  singular: keyof typeof notFoundErrors;
  records(state: NetworkState): Map<string, T>;
  /** Creates default records before a project's first list. */
  prepare?(cloud: NetworkCloud, caller: Caller): void;
  visible(cloud: NetworkCloud, caller: Caller, record: T): boolean;
  present(cloud: NetworkCloud, caller: Caller, record: T): WireRecord;
  create(cloud: NetworkCloud, caller: Caller, input: JsonObject): T;
  update?(cloud: NetworkCloud, caller: Caller, id: string, input: JsonObject): T;
  remove(cloud: NetworkCloud, caller: Caller, id: string): void;
}

const NOT_FILTERS = new Set(['limit', 'marker', 'page_reverse', 'fields', 'sort_key', 'sort_dir']);

export function resourceOperations<T extends NetworkRecord>(
  resource: Resource<T>,
): Operation<NetworkServiceCloud>[] {
  const { path, plural, singular } = resource;
  const name = plural === 'floatingips' ? 'floating_ips' : plural;
  const input = (call: NetworkCall): JsonObject => {
    const fields = envelope(call.body, singular, () =>
      badRequest(`Unable to find '${singular}' in request body`, 'HTTPBadRequest'),
    );
    const lacksDescriptions = !call.cloud.settings.hasDescriptions && singular !== 'security_group';
    if (lacksDescriptions && fields.description !== undefined)
      throw badRequest("Unrecognized attribute(s) 'description'", 'HTTPBadRequest');
    return fields;
  };
  const present =
    (settings: NetworkSettings): typeof resource.present =>
    (cloud, caller, record) => {
      const row = resource.present(cloud, caller, record);
      if (settings.hasDescriptions || singular === 'security_group') return row;
      const { description: _, ...rest } = row;
      return rest;
    };
  const find = (call: NetworkCall): T => {
    const id = call.params.id ?? '';
    const record = resource.records(call.cloud.network).get(id);
    if (record === undefined || !resource.visible(call.cloud, call.caller, record))
      throw notFoundErrors[singular](id);
    return record;
  };
  const one = (call: NetworkCall, record: T): object => ({
    [singular]: present(call.cloud.settings)(call.cloud, call.caller, record),
  });
  const id = (call: NetworkCall): string => call.params.id ?? '';
  const operations: Operation<NetworkServiceCloud>[] = [
    operation(`${name}.list`, `GET /${path}`, (call) =>
      list({ ...resource, present: present(call.cloud.settings) }, call),
    ),
    operation(`${name}.create`, `POST /${path}`, (call) =>
      created(one(call, resource.create(call.cloud, call.caller, input(call)))),
    ),
    operation(`${name}.get`, `GET /${path}/:id`, (call) => ok(chosen(call, one(call, find(call)), singular))),
    operation(`${name}.delete`, `DELETE /${path}/:id`, (call) => {
      requireRevision(resource, call);
      resource.remove(call.cloud, call.caller, id(call));
      return noContent();
    }),
  ];
  const { update } = resource;
  if (update === undefined) return operations;
  return [
    ...operations,
    operation(`${name}.update`, `PUT /${path}/:id`, (call) => {
      requireRevision(resource, call);
      return ok(one(call, update(call.cloud, call.caller, id(call), input(call))));
    }),
    operation(`${name}.replace_tags`, `PUT /${path}/:id/tags`, (call) => {
      const record = find(call);
      record.tags = tagsIn(call);
      return ok({ tags: record.tags });
    }),
  ];
}

/** A write with `If-Match: revision_number=N` fails unless the record has that revision. */
function requireRevision<T extends NetworkRecord>(resource: Resource<T>, call: NetworkCall): void {
  const expected = call.header('if-match')?.match(/^revision_number=(\d+)$/)?.[1];
  const record = resource.records(call.cloud.network).get(call.params.id ?? '');
  if (expected === undefined || record === undefined) return;
  if (!resource.visible(call.cloud, call.caller, record)) return;
  if (Number(expected) === record.revision_number) return;
  throw new ServiceError(
    412,
    `Constrained to ${expected}, but current revision is ${record.revision_number}`,
    'RevisionNumberConstraintFailed',
  );
}

function tagsIn(call: NetworkCall): string[] {
  const body = call.body as { tags?: unknown } | undefined;
  if (!Array.isArray(body?.tags)) throw badRequest('Invalid tags body', 'HTTPBadRequest');
  return body.tags.map(String);
}

/**
 * Every field is a filter. Several values of a field are alternatives. Sorted by id, as in the real service.
 */
function list<T extends NetworkRecord>(resource: Resource<T>, call: NetworkCall): Reply {
  const { cloud, caller, query } = call;
  const filters = [...new Set(query.keys())].filter((key) => !NOT_FILTERS.has(key));
  let rows: WireRecord[] = [];
  resource.prepare?.(cloud, caller);
  for (const record of resource.records(cloud.network).values()) {
    if (!resource.visible(cloud, caller, record)) continue;
    const row = resource.present(cloud, caller, record);
    if (filters.every((key) => matches(row, key, query.getAll(key)))) rows.push(row);
  }
  rows.sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
  const links = paged(resource, call, rows);
  rows = links?.items ?? rows;
  const body: WireRecord = { [resource.plural]: rows.map((row) => onlyFields(row, query.getAll('fields'))) };
  if (links !== undefined && links.links.length > 0) body[`${resource.plural}_links`] = links.links;
  return ok(body);
}

function matches(row: WireRecord, key: string, values: string[]): boolean {
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

function hasFixedIp(fixedIps: unknown, requested: string): boolean {
  const [key = '', value] = requested.split('=');
  if (!Array.isArray(fixedIps)) return false;
  return fixedIps.some((fixed: Record<string, unknown>) => fixed[key] === value);
}

function onlyFields(row: WireRecord, fields: string[]): WireRecord {
  if (fields.length === 0) return row;
  return Object.fromEntries(Object.entries(row).filter(([key]) => fields.includes(key)));
}

function chosen(call: NetworkCall, body: object, singular: string): object {
  const fields = call.query.getAll('fields');
  if (fields.length === 0) return body;
  return { [singular]: onlyFields((body as Record<string, WireRecord>)[singular] ?? {}, fields) };
}

function paged<T extends NetworkRecord>(
  resource: Resource<T>,
  call: NetworkCall,
  rows: WireRecord[],
): { items: WireRecord[]; links: object[] } | undefined {
  const { query } = call;
  const limit = Number(query.get('limit') ?? 0);
  const marker = query.get('marker');
  if (limit === 0 && marker === null) return undefined;
  const { items, more } = pageOf(
    rows,
    (row) => String(row.id),
    marker,
    limit || rows.length,
    notFoundErrors[resource.singular],
  );
  const link = (rel: string, row: WireRecord | undefined, suffix: string): object => ({
    rel,
    href: `${call.base}/${resource.path}?${nextQuery(query, String(row?.id))}${suffix}`,
  });
  const links: object[] = [];
  // Like the real service, a full page links to a next page, which may be empty.
  if (limit > 0 && (more || items.length === limit)) links.push(link('next', items.at(-1), ''));
  if (items.length > 0) links.push(link('previous', items[0], '&page_reverse=True'));
  return { items, links };
}
