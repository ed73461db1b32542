import { conflict } from '@gateway/core';
import { type BoundClient, type DomainRecord, domainReference, readWholeLists } from '@gateway/openstack';
import { defaultDomain } from '../../auth/log-in-domains.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { isSameName, namingsIn, refusal } from '../../resources/configured.ts';

type Request = Pick<RequestContext, 'app' | 'caller'>;

/** The id of the first domain, which the identity service creates itself, and other programs rely on. */
const FIRST_DOMAIN = 'default';

/**
 * Without these domains, the administrator or the gateway itself could not work any more, and could not undo
 * the change.
 *
 * @throws 409 for the domains of the caller's session, the first domain, and those in the configuration
 */
export function requireDispensableDomain(
  { app, caller }: Request,
  { id, name }: DomainRecord,
  done: string,
): void {
  const { projectDomainId, userDomainId } = caller.identity;
  if (id === userDomainId || id === projectDomainId) {
    throw conflict('protected', `The domain cannot be ${done}: it is the one of your own user or project.`);
  }
  if (id === FIRST_DOMAIN) {
    throw conflict('protected', `The domain cannot be ${done}: it is the first domain of the cloud.`);
  }
  const naming = namingsIn(app.config).domain.find(({ value }) => {
    const domain = domainReference(value);
    return 'id' in domain ? domain.id === id : isSameName(domain.name, name);
  });
  if (naming !== undefined) throw refusal(`The domain cannot be ${done}`, naming);
}

/** @throws 409 if the configuration, or a log-in without a domain, finds the domain by its name */
export function requireUnnamedDomain({ app }: Pick<Request, 'app'>, { name }: DomainRecord): void {
  const configured = namingsIn(app.config).domain.map(({ value }) => value);
  const isNamed = [defaultDomain.name, ...configured].some(
    (text) => 'name' in domainReference(text) && isSameName(text, name),
  );
  if (isNamed)
    throw conflict('protected', 'The domain cannot be renamed: log-ins of users or of the gateway name it.');
}

/**
 * Some releases of the service close the connection when a domain is renamed to a name in use.
 *
 * @throws 409 if another domain has the name
 */
export async function requireFreeDomainName(
  { identity: { domains } }: BoundClient,
  domainId: string,
  name: string,
): Promise<void> {
  const found = await domains.list({ name });
  if (found.some(({ id }) => id !== domainId))
    throw conflict('name_taken', `Another domain is named "${name}".`, { params: { name } });
}

/**
 * The service would delete the projects as well, and leave their resources without an owner.
 *
 * @throws 409 while the domain is enabled or has projects
 */
export async function requireDeletableDomain(
  { identity: { projects } }: BoundClient,
  { enabled, id }: DomainRecord,
): Promise<void> {
  if (enabled) throw conflict('wrong_state', 'An enabled domain cannot be deleted. Disable it first.');
  const { length } = await readWholeLists(() => projects.list({ domain_id: id }));
  if (length === 0) return;
  throw conflict(
    'not_empty',
    `The domain cannot be deleted: it still has ${length} project${length === 1 ? '' : 's'}.`,
  );
}
