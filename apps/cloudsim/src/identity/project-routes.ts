import { envelope } from '../common/json.ts';
import { badRequest } from '../common/service-error.ts';
import { created, noContent, type Operation, ok, operation, type Reply } from '../http/operation.ts';
import type { IdentityCall, IdentityCloud } from './cloud.ts';
import { deleteDomain, updateDomain } from './domains.ts';
import { isNameListed } from './names.ts';
import { pagedCollection } from './pages.ts';
import { denied, find, requireAdmin } from './policy.ts';
import { presentActingDomain, presentProject } from './present.ts';
import { createProject, deleteProject, requireLeaf, updateProject } from './projects.ts';
import type { Domain } from './state.ts';

function input(call: IdentityCall) {
  return envelope(call.body, 'project', () => badRequest("'project' is a required property"));
}

function target(call: IdentityCall) {
  return find(call.cloud.identity.projects, call.params.id, 'project');
}

/** The service keeps domains as projects: under its id, a domain is read, changed and deleted like one. */
function targetDomain(call: IdentityCall): Domain | undefined {
  return call.cloud.identity.domains.get(call.params.id ?? '');
}

function listProjects(call: IdentityCall): Reply {
  requireAdmin(call, 'list_projects');
  const enabled = call.query.get('enabled');
  const domainId = call.query.get('domain_id');
  const parentId = call.query.get('parent_id');
  const projects = [...call.cloud.identity.projects.values()].filter(
    (project) =>
      isNameListed(call.query, project.name) &&
      (domainId === null || project.domainId === domainId) &&
      (parentId === null || (project.parentId ?? project.domainId) === parentId) &&
      (enabled === null || String(project.enabled) === enabled.toLowerCase()),
  );
  return pagedCollection(call, 'projects', projects, (project) => presentProject(project, call.base));
}

function getProject(call: IdentityCall): Reply {
  if (call.params.id !== call.caller.projectId && !call.caller.isAdmin) throw denied('get_project');
  const domain = targetDomain(call);
  if (domain !== undefined) return ok({ project: presentActingDomain(domain, call.base) });
  return ok({ project: presentProject(target(call), call.base) });
}

function createOne(call: IdentityCall): Reply {
  requireAdmin(call, 'create_project');
  return created({ project: presentProject(createProject(call.cloud, input(call)), call.base) });
}

function updateOne(call: IdentityCall): Reply {
  requireAdmin(call, 'update_project');
  const domain = targetDomain(call);
  if (domain !== undefined) {
    updateDomain(call.cloud, domain, input(call));
    return ok({ project: presentActingDomain(domain, call.base) });
  }
  const project = target(call);
  updateProject(call.cloud, project, input(call));
  return ok({ project: presentProject(project, call.base) });
}

function deleteOne(call: IdentityCall): Reply {
  requireAdmin(call, 'delete_project');
  const domain = targetDomain(call);
  if (domain !== undefined) {
    deleteDomain(call.cloud, domain);
    return noContent();
  }
  const project = target(call);
  requireLeaf(call.cloud, project);
  deleteProject(call.cloud, project);
  return noContent();
}

export const projectOperations: Operation<IdentityCloud>[] = [
  operation('projects.list', 'GET /projects', listProjects),
  operation('projects.create', 'POST /projects', createOne),
  operation('projects.get', 'GET /projects/:id', getProject),
  operation('projects.update', 'PATCH /projects/:id', updateOne),
  operation('projects.delete', 'DELETE /projects/:id', deleteOne),
];
