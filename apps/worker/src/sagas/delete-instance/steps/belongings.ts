import { GatewayError, sleep } from '@gateway/core';
import { instanceDeletionProgress, type Leftover } from '@gateway/jobs';
import {
  removeAccessRule,
  removeFloatingIp,
  removePort,
  removeServer,
  removeShare,
  removeVolume,
} from '../../removal.ts';
import { belongingsOf, type DeleteStepContext, defineDeleteStep } from '../saga.ts';

/**
 * Removes what belonged to the server, in the order of a rollback. One thing that does not go does not keep
 * the others: it is named in the end.
 */
export const deleteBelongings = defineDeleteStep<{ leftovers: Leftover[] }>({
  name: 'belongings',
  announce: {
    step: 'RESOURCES_DELETING',
    progress: instanceDeletionProgress.RESOURCES_DELETING,
    message: 'What belonged to the server is being deleted.',
  },
  async run(context) {
    const leftovers: Leftover[] = [];
    for (const removal of removals(context)) {
      const left = await removeOrLeave(context, removal);
      if (left !== null) leftovers.push(left);
    }
    return { leftovers };
  },
});

interface Removal {
  type: string;
  id: string;
  remove(): Promise<void>;
}

function removals(context: DeleteStepContext): Removal[] {
  const { config, instanceId, owner, service, signal } = context;
  const { floatingIpIds, volumeIds, accessRules, portIds, dynamicShareIds } = belongingsOf(context);
  const { serverSeconds, volumeSeconds, shareSeconds } = config.timeLimits;
  const patience = (seconds: number) => ({ seconds, signal, intervalMs: config.jobs.pollIntervalMs });
  return [
    ...floatingIpIds.map((id) => ({
      type: 'floating_ip',
      id,
      remove: () => removeFloatingIp(owner(), id),
    })),
    {
      type: 'server',
      id: instanceId,
      remove: () => removeServer(owner(), instanceId, patience(serverSeconds)),
    },
    ...volumeIds.map((id) => ({
      type: 'volume',
      id,
      remove: () => removeVolume(owner(), id, patience(volumeSeconds)),
    })),
    ...accessRules.map((rule) => ({
      type: 'access_rule',
      id: rule.ruleId,
      remove: async () => removeAccessRule((await service()) ?? owner(), rule, patience(shareSeconds)),
    })),
    ...portIds.map((id) => ({ type: 'port', id, remove: () => removePort(owner(), id) })),
    ...dynamicShareIds.map((id) => ({
      type: 'share',
      id,
      remove: () => removeShare(owner(), id, patience(shareSeconds)),
    })),
  ];
}

/** Tries until the time for one thing is up. */
async function removeOrLeave(context: DeleteStepContext, removal: Removal): Promise<Leftover | null> {
  const { config, logger, signal } = context;
  const deadline = Date.now() + config.timeLimits.undoSeconds * 1000;
  for (;;) {
    try {
      await removal.remove();
      return null;
    } catch (error) {
      signal.throwIfAborted();
      logger.warn('Something could not be removed yet', { type: removal.type, id: removal.id, error });
      if (Date.now() > deadline) {
        const reason = error instanceof GatewayError ? error.message : 'An internal error occurred.';
        return { type: removal.type, id: removal.id, reason };
      }
      await sleep(config.jobs.pollIntervalMs, signal);
    }
  }
}
