import { newHexId } from '../common/ids.ts';
import { booleanAt, envelope, stringAt } from '../common/json.ts';
import { badRequest, conflict, forbidden } from '../common/service-error.ts';
import { created, noContent, type Operation, ok, operation, type Reply } from '../http/operation.ts';
import type { IdentityCall, IdentityCloud } from './cloud.ts';
import { isSameName } from './names.ts';
import { pagedCollection } from './pages.ts';
import { find, requireAdmin } from './policy.ts';
import { presentDomain } from './present.ts';
import { deleteProject } from './projects.ts';
import type { Domain } from './state.ts';
import { deleteUser } from './users.ts';

function listDomains(call: IdentityCall): Reply {
  requireAdmin(call, 'list_domains');
  const name = call.query.get('name');
  const domains = [...call.cloud.identity.domains.values()].filter((d) => name === null || d.name === name);
  return pagedCollection(call, 'domains', domains, (domain) => presentDomain(domain, call.base));
}

function getDomain(call: IdentityCall): Reply {
  return ok({
    domain: presentDomain(find(call.cloud.identity.domains, call.params.id, 'domain'), call.base),
  });
}

function createDomain(call: IdentityCall): Reply {
  requireAdmin(call, 'create_domain');
  const input = envelope(call.body, 'domain', () => badRequest("'domain' is a required property"));
  const name = stringAt(input, 'name');
  if (name === undefined) throw badRequest("'name' is a required property");
  const { domains } = call.cloud.identity;
  requireFreeName(call.cloud, name);
  const domain: Domain = {
    id: newHexId(),
    name,
    description: stringAt(input, 'description') ?? '',
    enabled: booleanAt(input, 'enabled', true),
  };
  domains.set(domain.id, domain);
  return created({ domain: presentDomain(domain, call.base) });
}

function requireFreeName({ identity }: IdentityCloud, name: string, except?: Domain): void {
  for (const domain of identity.domains.values())
    if (isSameName(domain.name, name) && domain !== except)
      throw conflict('Conflict occurred attempting to store domain - Duplicate Entry.');
}

function updateDomain(call: IdentityCall): Reply {
  requireAdmin(call, 'update_domain');
  const domain = find(call.cloud.identity.domains, call.params.id, 'domain');
  const input = envelope(call.body, 'domain', () => badRequest("'domain' is a required property"));
  const name = stringAt(input, 'name')?.trim();
  if (name !== undefined) requireFreeName(call.cloud, name, domain);
  domain.name = name ?? domain.name;
  domain.description = stringAt(input, 'description') ?? domain.description;
  domain.enabled = booleanAt(input, 'enabled', domain.enabled);
  return ok({ domain: presentDomain(domain, call.base) });
}

/** Deletes the users, groups and projects of the domain with it. */
function deleteDomain(call: IdentityCall): Reply {
  requireAdmin(call, 'delete_domain');
  const { identity } = call.cloud;
  const { enabled, id } = find(identity.domains, call.params.id, 'domain');
  if (enabled) throw forbidden('Cannot delete a domain that is enabled, please disable it first.');
  for (const user of identity.users.values()) if (user.domainId === id) deleteUser(call.cloud, user);
  for (const group of identity.groups.values()) if (group.domainId === id) identity.groups.delete(group.id);
  for (const project of identity.projects.values())
    if (project.domainId === id) deleteProject(call.cloud, project);
  identity.domains.delete(id);
  return noContent();
}

export const domainOperations: Operation<IdentityCloud>[] = [
  operation('domains.list', 'GET /domains', listDomains),
  operation('domains.create', 'POST /domains', createDomain),
  operation('domains.get', 'GET /domains/:id', getDomain),
  operation('domains.update', 'PATCH /domains/:id', updateDomain),
  operation('domains.delete', 'DELETE /domains/:id', deleteDomain),
];
