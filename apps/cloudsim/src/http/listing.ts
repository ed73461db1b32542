import { isObject, type Json } from '../common/json.ts';
import { badRequest } from '../common/service-error.ts';
import { type Call, ok, type Reply } from './operation.ts';
import { nextQuery, pageOf } from './page.ts';

const MAX_LIMIT = 1000;

interface Listed {
  id: string;
  projectId: string;
  name: string | null;
  status: string | null;
  metadata: Record<string, string>;
}

interface Listing<T extends Listed> {
  plural: string;
  records: Iterable<T>;
  present(record: T): object;
  /** The error for a marker that is not in the list. */
  unknownMarker(marker: string): Error;
  /** Whether the caller can see a record; by default the records of the project. */
  visible?(record: T): boolean;
  /** Additional filter, besides name, status, metadata and project. */
  filter?(record: T): boolean;
}

/** Newest first, paged by `limit` and `marker`. Administrators can list all projects. */
export function list<T extends Listed>(call: Call, listing: Listing<T>): Reply {
  const { query, caller } = call;
  const everywhere = caller.isAdmin && isTrue(query.get('all_tenants'));
  const projectId = everywhere ? query.get('project_id') : caller.projectId;
  const metadata = parseMapping(query.get('metadata'));
  const kept: T[] = [];
  for (const record of listing.records) {
    const own = projectId === null || record.projectId === projectId;
    if (!(listing.visible?.(record) ?? own)) continue;
    if (query.has('name') && record.name !== query.get('name')) continue;
    if (query.has('display_name') && record.name !== query.get('display_name')) continue;
    if (query.has('status') && record.status !== query.get('status')) continue;
    if (query.has('id') && record.id !== query.get('id')) continue;
    if (!Object.entries(metadata).every(([key, value]) => record.metadata[key] === value)) continue;
    if (listing.filter === undefined || listing.filter(record)) kept.push(record);
  }
  kept.reverse();
  const limit = Math.min(limitIn(query), MAX_LIMIT);
  const offset = Number(query.get('offset') ?? 0);
  const { items, more } = pageOf(
    offset > 0 ? kept.slice(offset) : kept,
    (record) => record.id,
    query.get('marker'),
    limit,
    listing.unknownMarker,
  );
  const body: Record<string, unknown> = { [listing.plural]: items.map(listing.present) };
  if (more || (query.has('limit') && items.length === limit && limit > 0)) {
    const path = call.url.split('?')[0];
    const next = nextQuery(query, items.at(-1)?.id ?? '');
    body[`${listing.plural}_links`] = [{ rel: 'next', href: `${call.base}${path}?${next}` }];
  }
  if (isTrue(query.get('with_count'))) body.count = kept.length;
  return ok(body);
}

function limitIn(query: URLSearchParams): number {
  const limit = query.get('limit');
  if (limit === null) return MAX_LIMIT;
  if (/^-\d+$/.test(limit)) throw badRequest('limit param must be positive');
  if (!/^\d+$/.test(limit)) throw badRequest('limit param must be an integer');
  return Number(limit) || MAX_LIMIT;
}

export function isTrue(value: string | null): boolean {
  return value !== null && ['1', 'true', 't', 'yes', 'on', 'y'].includes(value.toLowerCase());
}

/** `{'key': 'value'}`, as Python clients write mappings into a query. */
export function parseMapping(text: string | null): Record<string, string> {
  if (text === null) return {};
  try {
    const parsed = JSON.parse(text.replace(/u?'/g, '"')) as Json;
    if (!isObject(parsed)) return {};
    return Object.fromEntries(Object.entries(parsed).map(([key, value]) => [key, String(value)]));
  } catch {
    return {};
  }
}
