import { GatewayError, sleep } from '@gateway/core';
import { instanceDeletionProgress, type Leftover } from '@gateway/jobs';
import { TOKEN_EXPIRED } from '@gateway/saga';
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
  run: (context) => removeAll(context, removals(context), context.config.timeLimits.undoSeconds * 1000),
  leftovers: ({ leftovers }) => leftovers,
  sweep: (context, { leftovers }) => {
    const isLeft = ({ type, id }: Removal) => leftovers.some((left) => left.type === type && left.id === id);
    return removeAll(context, removals(context).filter(isLeft), 0);
  },
});

interface Removal {
  type: string;
  id: string;
  remove(): Promise<void>;
}

function removals(context: DeleteStepContext): Removal[] {
  const { config, instanceId, remover, service, signal } = context;
  const { floatingIpIds, volumeIds, accessRules, portIds, dynamicShareIds } = belongingsOf(context);
  const { serverSeconds, volumeSeconds, shareSeconds } = config.timeLimits;
  const patience = (seconds: number) => ({ seconds, signal, intervalMs: config.jobs.pollIntervalMs });
  return [
    ...floatingIpIds.map((id) => ({
      type: 'floating_ip',
      id,
      remove: () => removeFloatingIp(remover(), id),
    })),
    {
      type: 'server',
      id: instanceId,
      remove: () => removeServer(remover(), instanceId, patience(serverSeconds)),
    },
    ...volumeIds.map((id) => ({
      type: 'volume',
      id,
      remove: () => removeVolume(context, id, patience(volumeSeconds)),
    })),
    ...accessRules.map((rule) => ({
      type: 'access_rule',
      id: rule.ruleId,
      remove: async () => removeAccessRule((await service()) ?? remover(), rule, patience(shareSeconds)),
    })),
    ...portIds.map((id) => ({ type: 'port', id, remove: () => removePort(remover(), id) })),
    ...dynamicShareIds.map((id) => ({
      type: 'share',
      id,
      remove: () => removeShare(context, id, patience(shareSeconds)),
    })),
  ];
}

/** Removes one after the other, trying each until its time is up; names those that stay. */
async function removeAll(
  context: DeleteStepContext,
  all: Removal[],
  timeoutMs: number,
): Promise<{ leftovers: Leftover[] }> {
  const leftovers: Leftover[] = [];
  for (const removal of all) {
    const left = await removeOrLeave(context, removal, timeoutMs);
    if (left !== null) leftovers.push(left);
  }
  return { leftovers };
}

async function removeOrLeave(
  context: DeleteStepContext,
  removal: Removal,
  timeoutMs: number,
): Promise<Leftover | null> {
  const { config, logger, signal } = context;
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      await removal.remove();
      return null;
    } catch (error) {
      signal.throwIfAborted();
      logger.warn('Something could not be removed yet', { type: removal.type, id: removal.id, error });
      const isShutOut = error instanceof GatewayError && error.code === TOKEN_EXPIRED;
      if (isShutOut || Date.now() >= deadline) {
        const reason = error instanceof GatewayError ? error.message : 'An internal error occurred.';
        return { type: removal.type, id: removal.id, reason };
      }
      await sleep(config.jobs.pollIntervalMs, signal);
    }
  }
}
