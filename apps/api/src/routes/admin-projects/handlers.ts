import {
  findProjects,
  isForAll,
  presentAdminProject,
  presentProjectMembers,
  projectList,
} from '@gateway/views';
import { pageOf } from '../../http/schemas/page.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { changingAccessOf } from '../../resources/invalidate-users.ts';
import { requireEmptyProject, requireFreeProjectName } from './project-checks.ts';
import type { CreateProjectBody, ProjectsQuery, UpdateProjectBody } from './schemas.ts';

type ProjectRequest<Body = unknown> = RequestContext<{ project_id: string }, unknown, Body>;

export async function listProjects(request: RequestContext<unknown, ProjectsQuery>) {
  const { openstack, query } = request;
  const all = isForAll(query);
  const projects = all ? await projectList.read(sourcesOf(request)) : await findProjects(openstack, query);
  return pageOf(projects, query);
}

export async function createProject({
  body,
  openstack,
}: RequestContext<unknown, unknown, CreateProjectBody>) {
  return presentAdminProject(await openstack.identity.projects.create(body));
}

export async function updateProject(request: ProjectRequest<UpdateProjectBody>) {
  const { body, openstack, params } = request;
  const { projects, roles } = openstack.identity;
  if (body.name !== undefined) await requireFreeProjectName(openstack, params.project_id, body.name);
  const members = body.enabled === false ? await roles.listUserIds(params.project_id) : [];
  return changingAccessOf(request, members, async () =>
    presentAdminProject(await projects.update(params.project_id, body)),
  );
}

export async function deleteProject(request: ProjectRequest): Promise<void> {
  const { app, logger, openstack, params } = request;
  const { projects, roles } = openstack.identity;
  const [members] = await Promise.all([
    roles.listUserIds(params.project_id),
    requireEmptyProject(openstack, params.project_id),
  ]);
  await changingAccessOf(request, members, () => projects.remove(params.project_id));
  await app.gpuQuotas
    .removeProject(params.project_id)
    .catch((error: unknown) => logger.warn('The GPU quotas of a deleted project remain', { error }));
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
