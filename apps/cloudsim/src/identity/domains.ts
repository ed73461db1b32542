import { booleanAt, type JsonObject, stringAt } from '../common/json.ts';
import { conflict, forbidden } from '../common/service-error.ts';
import type { IdentityCloud } from './cloud.ts';
import { isSameName } from './names.ts';
import { deleteProject } from './projects.ts';
import type { Domain } from './state.ts';
import { deleteUser } from './users.ts';

export function updateDomain(cloud: IdentityCloud, domain: Domain, input: JsonObject): void {
  const name = stringAt(input, 'name')?.trim();
  if (name !== undefined) requireFreeDomainName(cloud, name, domain);
  domain.name = name ?? domain.name;
  domain.description = stringAt(input, 'description') ?? domain.description;
  domain.enabled = booleanAt(input, 'enabled', domain.enabled);
}

/** Deletes the users, groups and projects of the domain with it. */
export function deleteDomain(cloud: IdentityCloud, { enabled, id }: Domain): void {
  if (enabled) throw forbidden('Cannot delete a domain that is enabled, please disable it first.');
  const { identity } = cloud;
  for (const user of identity.users.values()) if (user.domainId === id) deleteUser(cloud, user);
  for (const group of identity.groups.values()) if (group.domainId === id) identity.groups.delete(group.id);
  for (const project of identity.projects.values())
    if (project.domainId === id) deleteProject(cloud, project);
  for (const [key] of identity.grants) if (key.startsWith(`${id}:`)) identity.grants.delete(key);
  identity.domains.delete(id);
}

export function requireFreeDomainName({ identity }: IdentityCloud, name: string, except?: Domain): void {
  for (const domain of identity.domains.values())
    if (isSameName(domain.name, name) && domain !== except)
      throw conflict('Conflict occurred attempting to store domain - Duplicate Entry.');
}
