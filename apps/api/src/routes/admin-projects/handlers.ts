import { forgetProject } from '@gateway/context';
import type { ProjectRecord } from '@gateway/openstack';
import {
  type AdminProject,
  allDomainNames,
  findProjects,
  type IdentitySearch,
  isForAll,
  presentAdminProject,
  presentProjectMembers,
  projectList,
  requireNoChildProjects,
  withNames,
} from '@gateway/resources';
import { isEmpty } from '../../http/schemas/is-empty.ts';
import type { PageQuery } from '../../http/schemas/page.ts';
import { type ListQuery, sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { changingListsOf } from '../../resources/changing-lists.ts';
import { requireDispensable } from '../../resources/configured.ts';
import { changingAccessOf } from '../../resources/invalidate-users.ts';
import { requireOtherProject } from '../../resources/require-other-project.ts';
import { requireEmptyProject, requireFreeProjectName } from './project-checks.ts';
import { type CreateProjectBody, projectPages, type UpdateProjectBody } from './schemas.ts';

type ProjectRequest<Body = unknown> = RequestContext<{ project_id: string }, unknown, Body>;

export async function listProjects(request: RequestContext<unknown, ListQuery & PageQuery & IdentitySearch>) {
  const { query } = request;
  const sources = sourcesOf(request);
  const projects = isForAll(query)
    ? await projectList.read(sources, query.refresh)
    : await findProjects(sources, query);
  return projectPages.pageOf(projects, query);
}

export async function createProject(request: RequestContext<unknown, unknown, CreateProjectBody>) {
  return present(request, await request.openstack.identity.projects.create(request.body));
}

export async function updateProject(request: ProjectRequest<UpdateProjectBody>) {
  const { body, openstack, params } = request;
  const { projects, roles } = openstack.identity;
  const project = await projects.get(params.project_id);
  if (isEmpty(body)) return present(request, project);
  if (body.enabled === false) {
    requireOtherProject(request, project, 'disabled');
    await requireDispensableProject(request, project, 'disabled');
  }
  if (body.name !== undefined) {
    await requireDispensableProject(request, project, 'renamed', body.name);
    await requireFreeProjectName(openstack, project, body.name);
  }
  // Their tokens have the name of the project, which lists of the project show.
  const isSeen = body.enabled === false || body.name !== undefined;
  const members = isSeen ? await roles.listUserIds(params.project_id) : [];
  const update = () => projects.update(params.project_id, body);
  const updated = await changingAccessOf(request, members, () =>
    changingListsOf(request, { projectId: params.project_id }, ['project'], update),
  );
  return present(request, updated);
}

function present(request: RequestContext, project: ProjectRecord): Promise<AdminProject> {
  return withNames(sourcesOf(request), presentAdminProject(project), { domain_id: allDomainNames });
}

export async function deleteProject(request: ProjectRequest): Promise<void> {
  const { app, logger, openstack, params } = request;
  const { projects, roles } = openstack.identity;
  const project = await projects.get(params.project_id);
  requireOtherProject(request, project, 'deleted');
  await requireDispensableProject(request, project, 'deleted');
  await requireNoChildProjects(openstack, params.project_id, 'deleted');
  const [members] = await Promise.all([
    roles.listUserIds(params.project_id),
    requireEmptyProject(request, params.project_id),
  ]);
  await changingAccessOf(request, members, () => projects.remove(params.project_id));
  await forgetProject(app, params.project_id).catch((error: unknown) =>
    logger.warn('Records of a deleted project remain', { project_id: params.project_id, error }),
  );
}

export async function listMembers({ openstack, params }: ProjectRequest) {
  const { projects, roles } = openstack.identity;
  const [assignments] = await Promise.all([
    roles.listAssignments(params.project_id),
    // Throws 404. The list of an unknown project is empty.
    projects.get(params.project_id),
  ]);
  return presentProjectMembers(assignments);
}

function requireDispensableProject(
  request: ProjectRequest<unknown>,
  project: ProjectRecord,
  done: string,
  newName?: string,
): Promise<void> {
  return requireDispensable(request, 'project', async () => project, done, newName);
}
