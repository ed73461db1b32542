import { projectResourceTypes, requireNoChildProjects } from '@gateway/resources';
import type { RequestContext } from '../pipeline/request-context.ts';
import { requireDispensable, requireDispensableNetwork } from '../resources/configured.ts';
import { requireOtherProject } from '../resources/require-other-project.ts';
import { enqueueWithDelegation } from './enqueue-with-delegation.ts';

/**
 * Enqueues a job that removes a project with everything in it.
 *
 * @throws 404 for an unknown project; 409 for the caller's own, for one that has child projects, for one that
 * the configuration names or that has a network that it names, and while another job purges it
 */
export async function purgeProject(request: RequestContext, projectId: string): Promise<void> {
  const { app, openstack } = request;
  const project = await openstack.identity.projects.get(projectId);
  requireOtherProject(request, project, 'purged');
  await requireDispensable(request, 'project', async () => project, 'purged');
  for (const network of await openstack.network.networks.list({ project_id: projectId })) {
    await requireDispensableNetwork(request, network);
  }
  await requireNoChildProjects(openstack, projectId, 'purged');
  const types = await projectResourceTypes(openstack, app.config.services);
  await enqueueWithDelegation(
    request,
    {
      type: 'project.purge',
      payload: { purgedProjectId: projectId, types },
      resourceId: projectId,
      resourceName: project.name,
      exclusive: { subject: `purge:${projectId}`, refusal: 'The project is being purged already.' },
    },
    { asAdministrator: true },
  );
}
