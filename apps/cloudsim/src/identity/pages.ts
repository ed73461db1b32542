import { badRequest, notFound } from '../common/service-error.ts';
import { nextQuery, pageOf } from '../http/page.ts';
import type { IdentityCall } from './cloud.ts';
import { collection } from './policy.ts';
import type { Domain } from './state.ts';

interface Listed {
  id: string;
}

/** A list in pages. Only requests with a limit get a link to the next page, after every full page. */
export function pagedCollection<T extends Listed>(
  call: IdentityCall,
  key: string,
  records: T[],
  present: (record: T) => object,
): { status: number; body: object } {
  const { query, cloud } = call;
  const max = cloud.settings.maxListLength;
  if (max === null) return collection(call, key, records.map(present));
  const asked = query.get('limit');
  if (asked !== null && !/^\d+$/.test(asked)) throw badRequest(`'${asked}' is not a 'non_negative_integer'`);
  const limit = asked === null ? max : Math.min(Number(asked), max);
  const sorted = records.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const { items } = pageOf(
    sorted,
    ({ id }) => id,
    query.get('marker'),
    limit,
    (marker) => notFound(`Marker ${marker} could not be found.`),
  );
  const reply = collection(call, key, items.map(present));
  if (asked === null || items.length < limit) return reply;
  const next = new URLSearchParams(nextQuery(query, items.at(-1)?.id ?? ''));
  next.set('limit', String(limit));
  const links = { ...Object(reply.body).links };
  if (items.length > 0) links.next = `${call.base}${call.url.split('?')[0]}?${next}`;
  return { ...reply, body: { ...reply.body, links, truncated: true } };
}

/** The domain whose users or groups to list; null for all domains. */
export function listedDomain({ cloud, caller, query }: IdentityCall): Domain['id'] | null {
  const asked = query.get('domain_id');
  if (asked !== null || !cloud.settings.hasDirectories) return asked;
  return cloud.identity.projects.get(caller.projectId)?.domainId ?? null;
}
