import { newHexId } from '../common/ids.ts';
import { booleanAt, envelope, stringAt } from '../common/json.ts';
import { badRequest } from '../common/service-error.ts';
import { created, noContent, type Operation, ok, operation, type Reply } from '../http/operation.ts';
import type { IdentityCall, IdentityCloud } from './cloud.ts';
import { deleteDomain, requireFreeDomainName, updateDomain } from './domains.ts';
import { pagedCollection } from './pages.ts';
import { find, requireAdmin } from './policy.ts';
import { presentDomain } from './present.ts';
import type { Domain } from './state.ts';

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
  requireFreeDomainName(call.cloud, name);
  const domain: Domain = {
    id: newHexId(),
    name,
    description: stringAt(input, 'description') ?? '',
    enabled: booleanAt(input, 'enabled', true),
  };
  domains.set(domain.id, domain);
  return created({ domain: presentDomain(domain, call.base) });
}

function updateOne(call: IdentityCall): Reply {
  requireAdmin(call, 'update_domain');
  const domain = find(call.cloud.identity.domains, call.params.id, 'domain');
  const input = envelope(call.body, 'domain', () => badRequest("'domain' is a required property"));
  updateDomain(call.cloud, domain, input);
  return ok({ domain: presentDomain(domain, call.base) });
}

function deleteOne(call: IdentityCall): Reply {
  requireAdmin(call, 'delete_domain');
  deleteDomain(call.cloud, find(call.cloud.identity.domains, call.params.id, 'domain'));
  return noContent();
}

export const domainOperations: Operation<IdentityCloud>[] = [
  operation('domains.list', 'GET /domains', listDomains),
  operation('domains.create', 'POST /domains', createDomain),
  operation('domains.get', 'GET /domains/:id', getDomain),
  operation('domains.update', 'PATCH /domains/:id', updateOne),
  operation('domains.delete', 'DELETE /domains/:id', deleteOne),
];
