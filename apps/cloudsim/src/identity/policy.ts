import { forbidden, notFound, type ServiceError } from '../common/service-error.ts';
import type { IdentityCall } from './cloud.ts';

export function denied(action: string): ServiceError {
  return forbidden(`You are not authorized to perform the requested action: identity:${action}.`);
}

export function requireAdmin(call: IdentityCall, action: string): void {
  if (!call.caller.isAdmin) throw denied(action);
}

/** The record under the id, or the service's 404. */
export function find<T>(records: Map<string, T>, id: string | undefined, kind: string): T {
  const found = records.get(id ?? '');
  if (found === undefined) throw notFound(`Could not find ${kind}: ${id}.`);
  return found;
}

/** A list with the links that the identity service adds to all lists. */
export function collection(
  call: IdentityCall,
  key: string,
  items: object[],
): { status: number; body: object } {
  const links = { next: null, self: `${call.base}${call.url}`, previous: null };
  return { status: 200, body: { [key]: items, links } };
}

/** @throws 404 for an unknown domain */
export function requireDomain({ cloud }: Pick<IdentityCall, 'cloud'>, domainId: string): void {
  find(cloud.identity.domains, domainId, 'domain');
}
