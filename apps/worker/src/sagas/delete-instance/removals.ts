import {
  addressKept,
  orNull,
  removeAccessRule,
  removeFloatingIp,
  removePort,
  removeServer,
  removeShare,
  removeVolume,
} from '../resources/removal.ts';
import type { Removal } from '../resources/remove-all.ts';
import { removalOptions } from '../wait-options.ts';
import { belongingsOf, type DeleteStepContext } from './saga.ts';

/** Everything that goes with the instance, in the order in which it has to go. */
export function removals(context: DeleteStepContext): Removal[] {
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
  const patient = (seconds: number) => removalOptions(context, seconds);
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
