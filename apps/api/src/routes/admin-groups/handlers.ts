import { conflict } from '@gateway/core';
import type { GroupRecord, UserRecord } from '@gateway/openstack';
import {
  allDomainNames,
  findGroups,
  type Group,
  groupList,
  isForAll,
  nameUsers,
  presentGroup,
  presentUser,
  withNames,
} from '@gateway/resources';
import { isEmpty } from '../../http/schemas/is-empty.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { hasServiceUser } from '../../resources/configured.ts';
import { changingAccessOf } from '../../resources/invalidate-users.ts';
import type { CreateGroupBody, GroupsQuery, UpdateGroupBody } from './schemas.ts';

type GroupRequest<Body = unknown> = RequestContext<{ group_id: string }, unknown, Body>;
type GroupUserRequest = RequestContext<{ group_id: string; user_id: string }>;

export async function listGroups(request: RequestContext<unknown, GroupsQuery>) {
  const { query } = request;
  const sources = sourcesOf(request);
  return isForAll(query) ? groupList.load(sources, query.refresh) : findGroups(sources, query);
}

export async function createGroup(request: RequestContext<unknown, unknown, CreateGroupBody>) {
  return present(request, await request.openstack.identity.groups.create(request.body));
}

export async function updateGroup(request: GroupRequest<UpdateGroupBody>) {
  const { body, openstack, params } = request;
  const { groups } = openstack.identity;
  const { group_id: id } = params;
  return present(request, isEmpty(body) ? await groups.get(id) : await groups.update(id, body));
}

function present(request: RequestContext, group: GroupRecord): Promise<Group> {
  return withNames(sourcesOf(request), presentGroup(group), { domain_id: allDomainNames });
}

/** The members lose the roles of the group. */
export async function deleteGroup(request: GroupRequest): Promise<void> {
  const { groups } = request.openstack.identity;
  const { group_id } = request.params;
  const members = await groups.listUsers(group_id);
  await requireNoServiceUser(request, async () => members, 'The group cannot be deleted');
  const ids = members.map(({ id }) => id);
  await changingAccessOf(request, ids, () => groups.remove(group_id));
}

export async function listGroupUsers(request: GroupRequest) {
  const users = await request.openstack.identity.groups.listUsers(request.params.group_id);
  return nameUsers(sourcesOf(request), users.map(presentUser));
}

export async function addGroupUser(request: GroupUserRequest): Promise<void> {
  const { group_id, user_id } = request.params;
  await changingAccessOf(request, [user_id], () =>
    request.openstack.identity.groups.addUser(group_id, user_id),
  );
}

export async function removeGroupUser(request: GroupUserRequest): Promise<void> {
  const { group_id, user_id } = request.params;
  const { users } = request.openstack.identity;
  const read = async () => [await users.get(user_id)];
  await requireNoServiceUser(request, read, 'The user cannot be removed from the group');
  await changingAccessOf(request, [user_id], () =>
    request.openstack.identity.groups.removeUser(group_id, user_id),
  );
}

/** @throws 409 if the gateway's own user is among those who lose the roles of the group */
async function requireNoServiceUser(
  request: RequestContext<unknown>,
  read: () => Promise<readonly UserRecord[]>,
  what: string,
): Promise<void> {
  if (!(await hasServiceUser(request, read))) return;
  throw conflict(
    'protected',
    `${what}: the user that the gateway's configuration names (service_user.username) may work with its roles.`,
  );
}
