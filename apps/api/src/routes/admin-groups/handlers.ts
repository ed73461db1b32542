import { findGroups, groupList, isForAll, presentGroup, presentUser } from '@gateway/views';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { changingAccessOf } from '../../resources/invalidate-users.ts';
import type { CreateGroupBody, GroupsQuery, UpdateGroupBody } from './schemas.ts';

type GroupRequest<Body = unknown> = RequestContext<{ group_id: string }, unknown, Body>;
type GroupUserRequest = RequestContext<{ group_id: string; user_id: string }>;

export async function listGroups(request: RequestContext<unknown, GroupsQuery>) {
  const { openstack, query } = request;
  return isForAll(query) ? groupList.load(sourcesOf(request), query.refresh) : findGroups(openstack, query);
}

export async function createGroup({ body, openstack }: RequestContext<unknown, unknown, CreateGroupBody>) {
  return presentGroup(await openstack.identity.groups.create(body));
}

export async function updateGroup({ body, openstack, params }: GroupRequest<UpdateGroupBody>) {
  return presentGroup(await openstack.identity.groups.update(params.group_id, body));
}

/** The members lose the roles of the group. */
export async function deleteGroup(request: GroupRequest): Promise<void> {
  const { groups } = request.openstack.identity;
  const { group_id } = request.params;
  const members = (await groups.listUsers(group_id)).map(({ id }) => id);
  await changingAccessOf(request, members, () => groups.remove(group_id));
}

export async function listGroupUsers({ openstack, params }: GroupRequest) {
  return (await openstack.identity.groups.listUsers(params.group_id)).map(presentUser);
}

export async function addGroupUser(request: GroupUserRequest): Promise<void> {
  const { group_id, user_id } = request.params;
  await changingAccessOf(request, [user_id], () =>
    request.openstack.identity.groups.addUser(group_id, user_id),
  );
}

export async function removeGroupUser(request: GroupUserRequest): Promise<void> {
  const { group_id, user_id } = request.params;
  await changingAccessOf(request, [user_id], () =>
    request.openstack.identity.groups.removeUser(group_id, user_id),
  );
}
