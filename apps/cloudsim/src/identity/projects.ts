import { newHexId } from '../common/ids.ts';
import { booleanAt, type JsonObject, stringAt } from '../common/json.ts';
import { badRequest, conflict } from '../common/service-error.ts';
import type { IdentityCloud } from './cloud.ts';
import { isSameName } from './names.ts';
import type { Project } from './state.ts';

export function createProject(cloud: IdentityCloud, input: JsonObject): Project {
  const name = stringAt(input, 'name');
  if (name === undefined) throw badRequest("'name' is a required property");
  requireFreeName(cloud, name, undefined);
  const project: Project = {
    id: newHexId(),
    name,
    domainId: stringAt(input, 'domain_id') ?? 'default',
    description: stringAt(input, 'description') ?? '',
    enabled: booleanAt(input, 'enabled', true),
  };
  cloud.identity.projects.set(project.id, project);
  return project;
}

export function updateProject(cloud: IdentityCloud, project: Project, input: JsonObject): void {
  const name = stringAt(input, 'name');
  if (name !== undefined) requireFreeName(cloud, name, project.id);
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

function requireFreeName(cloud: IdentityCloud, name: string, exceptId: string | undefined): void {
  for (const project of cloud.identity.projects.values())
    if (isSameName(project.name, name) && project.id !== exceptId)
      throw conflict(
        `Conflict occurred attempting to store project - it is not permitted to have two projects with either the same name or same id in the same domain: name is ${name}, project id ${project.id}.`,
      );
}
