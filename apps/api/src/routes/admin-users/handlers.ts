import { conflict } from '@gateway/core';
import { findUsers, isForAll, presentUser, userList } from '@gateway/views';
import { pageOf } from '../../http/schemas/page.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { changingAccessOf, forgetTokensOf } from '../../resources/invalidate-users.ts';
import type { CreateUserBody, UpdateUserBody, UsersQuery } from './schemas.ts';

type UserRequest<Body = unknown> = RequestContext<{ user_id: string }, unknown, Body>;

export async function listUsers(request: RequestContext<unknown, UsersQuery>) {
  const { openstack, query } = request;
  const users = isForAll(query) ? await userList.read(sourcesOf(request)) : await findUsers(openstack, query);
  return pageOf(users, query);
}

export async function createUser({ body, openstack }: RequestContext<unknown, unknown, CreateUserBody>) {
  return presentUser(await openstack.identity.users.create(body));
}

export async function updateUser(request: UserRequest<UpdateUserBody>) {
  const { body, openstack, params } = request;
  const { user_id: userId } = params;
  const user = await changingAccessOf(request, [userId], () => openstack.identity.users.update(userId, body));
  if (body.password !== undefined || body.enabled === false) await forgetTokensOf(request, userId);
  return presentUser(user);
}

export async function deleteUser(request: UserRequest): Promise<void> {
  const { caller, openstack, params } = request;
  const { user_id: userId } = params;
  if (userId === caller.identity.userId) throw conflict('You cannot delete your own account.');
  await changingAccessOf(request, [userId], () => openstack.identity.users.remove(userId));
  await forgetTokensOf(request, userId);
}
