import { GatewayError, wrongPassword } from '@gateway/core';
import { presentProfile } from '@gateway/resources';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { forgetOldPassword } from '../../resources/invalidate-users.ts';
import type { PasswordBody } from './schemas.ts';

export async function getProfile({ caller, openstack }: RequestContext) {
  const user = await openstack.identity.users.get(caller.identity.userId);
  return presentProfile(caller.identity, user);
}

export async function changePassword(request: RequestContext<unknown, unknown, PasswordBody>) {
  const { body, caller, openstack } = request;
  const { userId } = caller.identity;
  try {
    await openstack.identity.users.changePassword(userId, {
      current: body.current_password,
      new: body.new_password,
    });
  } catch (error) {
    if (error instanceof GatewayError && error.status === 401) {
      throw wrongPassword('The current password is wrong.', { cause: error });
    }
    throw error;
  }
  await forgetOldPassword(request, userId);
  return { message: 'The password has been changed.' };
}
