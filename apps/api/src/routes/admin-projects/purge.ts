import { countChildProjects, projectResourceTypes, readProjectContents } from '@gateway/resources';
import { purgeProject } from '../../flows/purge-project.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import type { PurgePreview, StartedPurge } from './purge-shapes.ts';

type PurgeRequest = RequestContext<{ project_id: string }>;

/** What a purge would remove now. */
export async function previewPurge({ app, openstack, params }: PurgeRequest): Promise<PurgePreview> {
  const types = await projectResourceTypes(openstack, app.config.services);
  const { enabled, id, name } = await openstack.identity.projects.get(params.project_id);
  const [resources, child_projects] = await Promise.all([
    readProjectContents(openstack, id, types),
    countChildProjects(openstack, id),
  ]);
  return { project_id: id, project_name: name, enabled, child_projects, resources };
}

export async function startPurge(request: PurgeRequest): Promise<StartedPurge> {
  const { project_id } = request.params;
  await purgeProject(request, project_id);
  return { job_id: request.jobId, project_id };
}
