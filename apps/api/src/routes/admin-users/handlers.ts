import { conflict } from '@gateway/core';
import { findUsers, isForAll, presentUser, userList } from '@gateway/views';
import { pageOf } from '../../http/schemas/page.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { changingAccessOf } from '../../resources/invalidate-users.ts';
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
  return changingAccessOf(request, [params.user_id], async () =>
    presentUser(await openstack.identity.users.update(params.user_id, body)),
  );
}

export async function deleteUser(request: UserRequest): Promise<void> {
  const { caller, openstack, params } = request;
  if (params.user_id === caller.identity.userId) throw conflict('You cannot delete your own account.');
  await changingAccessOf(request, [params.user_id], () => openstack.identity.users.remove(params.user_id));
}
