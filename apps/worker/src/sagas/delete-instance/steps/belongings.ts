import { instanceDeletionProgress, type Leftover } from '@gateway/jobs';
import {
  addressKept,
  orNull,
  removeAccessRule,
  removeFloatingIp,
  removePort,
  removeServer,
  removeShare,
  removeVolume,
} from '../../resources/removal.ts';
import { type Removal, removeAll, sweepAll } from '../../resources/remove-all.ts';
import { patience } from '../../waiting.ts';
import { belongingsOf, type DeleteStepContext, defineDeleteStep } from '../saga.ts';

/**
 * Removes what belonged to the server. One thing that does not go does not keep the others, it is named in the end;
 * save that an address is not given back while a share lets it in.
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
  sweep: (context, { leftovers }) => sweepAll(context, removals(context), leftovers),
});

function removals(context: DeleteStepContext): Removal[] {
  const { config, instanceId, remover, service } = context;
  const {
    floatingIpIds,
    twinIds = [],
    volumeIds,
    accessRules,
    portIds,
    dynamicShareIds,
  } = belongingsOf(context);
  const { serverSeconds, volumeSeconds, shareSeconds } = config.timeLimits;
  const patient = (seconds: number) => patience(context, seconds);
  return [
    ...floatingIpIds.map((id) => ({
      type: 'floating_ip',
      id,
      remove: () => removeFloatingIp(remover(), id),
    })),
    ...[instanceId, ...twinIds].map((id) => ({
      type: 'server',
      id,
      remove: () => removeServer(remover(), id, patient(serverSeconds)),
    })),
    ...volumeIds.map((id) => ({
      type: 'volume',
      id,
      remove: () => removeVolume(context, id, patient(volumeSeconds)),
    })),
    ...accessRules.map((rule) => ({
      type: 'access_rule',
      id: rule.ruleId,
      remove: async () => removeAccessRule((await service()) ?? remover(), rule, patient(shareSeconds)),
    })),
    // Its rule goes with it.
    ...dynamicShareIds.map((id) => ({
      type: 'share',
      id,
      remove: () => removeShare(context, id, patient(shareSeconds)),
    })),
    ...portIds.map((id) => ({
      type: 'port',
      id,
      remove: async () => {
        if (await isLetIn(context)) throw addressKept();
        await removePort(remover(), id);
      },
    })),
  ];
}

/** Whether there is still a share that lets the instance in. */
async function isLetIn(context: DeleteStepContext): Promise<boolean> {
  const { accessRules, dynamicShareIds } = belongingsOf(context);
  const manager = (await context.service()) ?? context.remover();
  for (const { shareId, ruleId } of accessRules) {
    const rules = (await orNull(manager.sharedFileSystem.accessRules.list(shareId))) ?? [];
    if (rules.some(({ id }) => id === ruleId)) return true;
  }
  const { shares } = context.remover().sharedFileSystem;
  for (const id of dynamicShareIds) if ((await orNull(shares.get(id))) !== null) return true;
  return false;
}
