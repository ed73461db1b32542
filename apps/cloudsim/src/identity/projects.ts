import { newHexId } from '../common/ids.ts';
import { booleanAt, type JsonObject, stringAt } from '../common/json.ts';
import { badRequest, conflict, forbidden } from '../common/service-error.ts';
import type { IdentityCloud } from './cloud.ts';
import { isSameName } from './names.ts';
import { requireDomain } from './policy.ts';
import type { Project } from './state.ts';

export function createProject(cloud: IdentityCloud, input: JsonObject): Project {
  const name = stringAt(input, 'name');
  if (name === undefined) throw badRequest("'name' is a required property");
  const domainId = stringAt(input, 'domain_id') ?? 'default';
  requireDomain({ cloud }, domainId);
  requireFreeName(cloud, { name, domainId });
  const parentId = stringAt(input, 'parent_id') ?? domainId;
  if (parentId !== domainId) requireParent(cloud, parentId, domainId);
  const project: Project = {
    id: newHexId(),
    name,
    domainId,
    ...(parentId !== domainId && { parentId }),
    description: stringAt(input, 'description') ?? '',
    enabled: booleanAt(input, 'enabled', true),
  };
  cloud.identity.projects.set(project.id, project);
  return project;
}

export function updateProject(cloud: IdentityCloud, project: Project, input: JsonObject): void {
  const name = stringAt(input, 'name');
  if (name !== undefined) requireFreeName(cloud, { ...project, name });
  const enabled = booleanAt(input, 'enabled', project.enabled);
  if (project.enabled && !enabled && subtree(cloud, project).some((child) => child.enabled))
    throw forbidden(`Cannot disable project ${project.id} since its subtree contains enabled projects.`);
  if (!project.enabled && enabled && parents(cloud, project).some((parent) => !parent.enabled))
    throw forbidden(`Cannot enable project ${project.id} since it has disabled parents`);
  project.name = name ?? project.name;
  project.description = stringAt(input, 'description') ?? project.description;
  project.enabled = enabled;
}

export function deleteProject(cloud: IdentityCloud, project: Project): void {
  const { projects, grants, tokens } = cloud.identity;
  projects.delete(project.id);
  for (const [key] of grants) if (key.startsWith(`${project.id}:`)) grants.delete(key);
  for (const token of tokens.values()) if (token.projectId === project.id) tokens.delete(token.id);
}

/** @throws 403 for a project that has others below it */
export function requireLeaf(cloud: IdentityCloud, project: Project): void {
  if (subtree(cloud, project).length > 0)
    throw forbidden(
      `Cannot delete the project ${project.id} since it is not a leaf in the hierarchy. Use the cascade option if you want to delete a whole subtree.`,
    );
}

function requireParent(cloud: IdentityCloud, id: string, domainId: string): void {
  const parent = cloud.identity.projects.get(id);
  if (parent === undefined) throw badRequest(`Could not find project: ${id}.`);
  if (parent.domainId !== domainId)
    throw badRequest(
      `Cannot create project, since it specifies its domain_id ${domainId}, but specifies a parent in a different domain (${parent.domainId}).`,
    );
  const disabled = [parent, ...parents(cloud, parent)].find(({ enabled }) => !enabled);
  if (disabled !== undefined)
    throw badRequest(`cannot create a project in a branch containing a disabled project: ${disabled.id}`);
}

/** All projects below a project. */
function subtree(cloud: IdentityCloud, { id }: Project): Project[] {
  const children = [...cloud.identity.projects.values()].filter(({ parentId }) => parentId === id);
  return children.flatMap((child) => [child, ...subtree(cloud, child)]);
}

/** The projects above a project, and its domain. */
function parents(cloud: IdentityCloud, { domainId, parentId }: Project): { id: string; enabled: boolean }[] {
  const { domains, projects } = cloud.identity;
  const parent = projects.get(parentId ?? '');
  if (parent !== undefined) return [parent, ...parents(cloud, parent)];
  const domain = domains.get(domainId);
  return domain === undefined ? [] : [domain];
}

function requireFreeName(
  { identity }: IdentityCloud,
  { domainId, id, name }: Pick<Project, 'name' | 'domainId'> & { id?: string },
): void {
  for (const project of identity.projects.values())
    if (isSameName(project.name, name) && project.domainId === domainId && project.id !== id)
      throw conflict(
        `Conflict occurred attempting to store project - it is not permitted to have two projects with either the same name or same id in the same domain: name is ${name}, project id ${project.id}.`,
      );
}
