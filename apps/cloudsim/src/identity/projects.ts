import { newHexId } from '../common/ids.ts';
import { booleanAt, type JsonObject, stringAt } from '../common/json.ts';
import { badRequest, conflict } from '../common/service-error.ts';
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
  const project: Project = {
    id: newHexId(),
    name,
    domainId,
    description: stringAt(input, 'description') ?? '',
    enabled: booleanAt(input, 'enabled', true),
  };
  cloud.identity.projects.set(project.id, project);
  return project;
}

export function updateProject(cloud: IdentityCloud, project: Project, input: JsonObject): void {
  const name = stringAt(input, 'name');
  if (name !== undefined) requireFreeName(cloud, { ...project, name });
  project.name = name ?? project.name;
  project.description = stringAt(input, 'description') ?? project.description;
  project.enabled = booleanAt(input, 'enabled', project.enabled);
}

export function deleteProject(cloud: IdentityCloud, project: Project): void {
  const { projects, grants, tokens } = cloud.identity;
  projects.delete(project.id);
  for (const [key] of grants) if (key.startsWith(`${project.id}:`)) grants.delete(key);
  for (const token of tokens.values()) if (token.projectId === project.id) tokens.delete(token.id);
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
