import { addNames, instanceNames, presentServerGroup } from '@gateway/resources';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { ofOwnProject } from '../../resources/own-records.ts';
import type { CreateServerGroupBody } from './schemas.ts';

export async function listServerGroups(request: RequestContext) {
  const rows = (await request.openstack.compute.serverGroups.list()).map(presentServerGroup);
  return addNames(sourcesOf(request), rows, { instance_ids: instanceNames.project });
}

export async function createServerGroup({
  body,
  openstack,
}: RequestContext<unknown, unknown, CreateServerGroupBody>) {
  return presentServerGroup(await openstack.compute.serverGroups.create(body));
}

export async function deleteServerGroup(request: RequestContext<{ server_group_id: string }>): Promise<void> {
  const { serverGroups } = request.openstack.compute;
  const read = serverGroups.get(request.params.server_group_id);
  const { id } = await ofOwnProject(request, 'server group', read);
  await serverGroups.remove(id);
}
