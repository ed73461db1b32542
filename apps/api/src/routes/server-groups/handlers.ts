import { notFound } from '@gateway/core';
import { addNames, instanceNames, presentServerGroup } from '@gateway/resources';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
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

/** Administrators' tokens reach groups of all projects, so this checks the project. */
export async function deleteServerGroup({
  caller,
  openstack,
  params,
}: RequestContext<{ server_group_id: string }>): Promise<void> {
  const { serverGroups } = openstack.compute;
  const group = await serverGroups.get(params.server_group_id);
  if (group.project_id !== caller.identity.projectId) {
    throw notFound('There is no such server group in this project.');
  }
  await serverGroups.remove(group.id);
}
