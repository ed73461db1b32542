import { GatewayError } from '@gateway/core';
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
    await keptTokens.revokeUnused(async (token) => {
      try {
        await openstack.identity.revoke(token, call);
      } catch (error) {
        // It has expired.
        if (!(error instanceof GatewayError && error.status === 401)) throw error;
      }
    });
  } catch (error) {
    logger.warn('A token of an ended session could not be revoked yet', { error });
  }
}
