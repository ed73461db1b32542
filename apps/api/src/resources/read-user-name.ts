import { GatewayError } from '@gateway/core';
import type { RequestContext } from '../pipeline/request-context.ts';

/**
 * The name of a user; empty if the identity service does not return it. Most members may read only
 * themselves. A missing name is no reason to fail.
 */
export async function readUserName(
  { caller, logger, openstack }: Pick<RequestContext, 'caller' | 'logger' | 'openstack'>,
  userId: string,
): Promise<string> {
  const { identity } = caller;
  if (userId === identity.userId) return identity.userName;
  if (userId === '') return '';
  try {
    return (await openstack.identity.users.get(userId)).name;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    logger.debug('The name of a user could not be read', { error });
    return '';
  }
}
