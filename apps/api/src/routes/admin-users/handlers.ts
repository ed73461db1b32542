import { conflict } from '@gateway/core';
import type { UserRecord } from '@gateway/openstack';
import {
  findUsers,
  type IdentitySearch,
  isForAll,
  nameUsers,
  presentUser,
  type User,
  userList,
} from '@gateway/resources';
import { isEmpty } from '../../http/schemas/is-empty.ts';
import type { PageQuery } from '../../http/schemas/page.ts';
import { type ListQuery, sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { requireDispensable } from '../../resources/configured.ts';
import { changingAccessOf, forgetOldPassword, forgetTokensOf } from '../../resources/invalidate-users.ts';
import { type CreateUserBody, type UpdateUserBody, userPages } from './schemas.ts';

type UserRequest<Body = unknown> = RequestContext<{ user_id: string }, unknown, Body>;

export async function listUsers(request: RequestContext<unknown, ListQuery & PageQuery & IdentitySearch>) {
  const { query } = request;
  const sources = sourcesOf(request);
  const users = isForAll(query)
    ? await userList.read(sources, query.refresh)
    : await findUsers(sources, query);
  return userPages.pageOf(users, query);
}

export async function createUser(request: RequestContext<unknown, unknown, CreateUserBody>) {
  return present(request, await request.openstack.identity.users.create(request.body));
}

export async function updateUser(request: UserRequest<UpdateUserBody>) {
  const { body, caller, openstack, params } = request;
  const { user_id: userId } = params;
  if (isEmpty(body)) return present(request, await openstack.identity.users.get(userId));
  if (body.enabled === false) {
    if (userId === caller.identity.userId) {
      throw conflict('protected', 'You cannot disable your own account.');
    }
    await requireDispensableUser(request, 'disabled');
  }
  if (body.name !== undefined) await requireDispensableUser(request, 'renamed', body.name);
  const user = await changingAccessOf(request, [userId], () => openstack.identity.users.update(userId, body));
  if (body.password !== undefined) await forgetOldPassword(request, userId);
  else if (body.enabled === false) await forgetTokensOf(request, userId);
  return present(request, user);
}

async function present(request: RequestContext, record: UserRecord): Promise<User> {
  const user = presentUser(record);
  await nameUsers(sourcesOf(request), [user]);
  return user;
}

export async function deleteUser(request: UserRequest): Promise<void> {
  const { caller, openstack, params } = request;
  const { user_id: userId } = params;
  if (userId === caller.identity.userId) throw conflict('protected', 'You cannot delete your own account.');
  await requireDispensableUser(request, 'deleted');
  await changingAccessOf(request, [userId], () => openstack.identity.users.remove(userId));
  await forgetTokensOf(request, userId);
}

/** A new password is allowed: an administrator who changes it also changes that of the gateway. */
function requireDispensableUser(
  request: UserRequest<unknown>,
  done: string,
  newName?: string,
): Promise<void> {
  const { openstack, params } = request;
  const read = () => openstack.identity.users.get(params.user_id);
  return requireDispensable(request, 'user', read, done, newName);
}
