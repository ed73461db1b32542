import type { CallContext } from '@gateway/openstack';
import type { WorkerContext } from '../context.ts';

/**
 * Revokes the tokens of ended sessions that no job uses any more. Logs failures: the maintenance task tries
 * again.
 */
export async function revokeKeptTokens(
  { keptTokens, logger, openstack }: Pick<WorkerContext, 'keptTokens' | 'logger' | 'openstack'>,
  call: CallContext,
): Promise<void> {
  try {
    await keptTokens.revokeUnused((token) => openstack.identity.revoke(token, call));
  } catch (error) {
    logger.warn('A token of an ended session could not be revoked yet', { error });
  }
}
