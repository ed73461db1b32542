import { type Domain, presentDomain } from '@gateway/resources';
import { isEmpty } from '../../http/schemas/is-empty.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { changingAccessOf, forgetTokensOf } from '../../resources/invalidate-users.ts';
import {
  requireDeletableDomain,
  requireDispensableDomain,
  requireFreeDomainName,
  requireUnnamedDomain,
} from './domain-checks.ts';
import type { CreateDomainBody, UpdateDomainBody } from './schemas.ts';

type DomainRequest<Body = unknown> = RequestContext<{ domain_id: string }, unknown, Body>;

export async function getDomain({ openstack, params }: DomainRequest): Promise<Domain> {
  return presentDomain(await openstack.identity.domains.get(params.domain_id));
}

export async function createDomain(
  request: RequestContext<unknown, unknown, CreateDomainBody>,
): Promise<Domain> {
  return presentDomain(await request.openstack.identity.domains.create(request.body));
}

export async function updateDomain(request: DomainRequest<UpdateDomainBody>): Promise<Domain> {
  const { body, openstack, params } = request;
  const { domains } = openstack.identity;
  const domain = await domains.get(params.domain_id);
  if (isEmpty(body)) return presentDomain(domain);
  if (body.enabled === false) requireDispensableDomain(request, domain, 'disabled');
  const isRenamed = body.name !== undefined && body.name !== domain.name;
  if (isRenamed) {
    requireUnnamedDomain(request, domain);
    await requireFreeDomainName(openstack, domain.id, body.name ?? '');
  }
  // Their tokens have the name of the domain.
  const isSeen = body.enabled === false || isRenamed;
  const users = isSeen ? await usersOf(request, domain.id) : [];
  const updated = await changingAccessOf(request, users, () => domains.update(domain.id, body));
  return presentDomain(updated);
}

/** Its users lose their accounts, also those who have roles in projects of other domains. */
export async function deleteDomain(request: DomainRequest): Promise<void> {
  const { domains, users } = request.openstack.identity;
  const domain = await domains.get(request.params.domain_id);
  requireDispensableDomain(request, domain, 'deleted');
  await requireDeletableDomain(request.openstack, domain);
  const members = (await users.list({ domain_id: domain.id })).map(({ id }) => id);
  await changingAccessOf(request, members, () => domains.remove(domain.id));
  for (const id of members) await forgetTokensOf(request, id);
}

/** Those of the domain, and those with roles in its projects. */
async function usersOf({ openstack }: DomainRequest, domainId: string): Promise<string[]> {
  const { roles, users } = openstack.identity;
  const [own, withRoles] = await Promise.all([
    users.list({ domain_id: domainId }),
    roles.listUserIdsOfDomain(domainId),
  ]);
  return [...new Set([...own.map(({ id }) => id), ...withRoles])];
}
