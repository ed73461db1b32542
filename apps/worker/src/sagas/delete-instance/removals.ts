import type { PolledKind } from '@gateway/inventory';
import {
  portStillGranted,
  releaseFloatingIp,
  releasePort,
  removeAccessRule,
  removeServer,
  removeShare,
  removeVolume,
} from '@gateway/inventory';
import { nullIfNotFound } from '@gateway/openstack';
import type { Removal } from '../resources/remove-all.ts';
import { removalOptions } from '../resources/wait-options.ts';
import { associatedResourcesOf, type DeleteStepContext, ownServers } from './saga.ts';

/**
 * Everything that is deleted with the instance, in order.
 *
 * @param duplicateIds servers of the same creation
 */
export function removals(context: DeleteStepContext, duplicateIds: readonly string[]): Removal[] {
  const { config, instanceId, owner, remover, service } = context;
  const associated = associatedResourcesOf(context);
  const { floatingIpIds, volumeIds, accessRules, portIds, dynamicShareIds } = associated;
  const servers = ownServers(context, duplicateIds);
  const own = { ...servers, portIds: [...portIds, ...associated.serverPortIds] };
  const { volumeSeconds, shareSeconds } = config.timeLimits;
  const patient = (kind: PolledKind, seconds: number) => removalOptions(context, kind, seconds);
  return [
    ...floatingIpIds.map((id) => ({
      type: 'floating_ip',
      id,
      remove: () => releaseFloatingIp(remover(), id, own),
    })),
    ...[instanceId, ...duplicateIds].map((id) => serverRemoval(context, id)),
    ...volumeIds.map((id) => ({
      type: 'volume',
      id,
      remove: () =>
        removeVolume(context, id, patient('volume', volumeSeconds), { ownServerIds: servers.deviceIds }),
    })),
    ...accessRules.map((rule) => ({
      type: 'access_rule',
      id: rule.ruleId,
      remove: async () =>
        removeAccessRule((await service()) ?? owner(), rule, patient('access_rule', shareSeconds)),
    })),
    // The share's access rules are deleted with it.
    ...dynamicShareIds.map((id) => ({
      type: 'share',
      id,
      remove: () => removeShare(context, id, patient('share', shareSeconds)),
    })),
    ...portIds.map((id) => ({
      type: 'port',
      id,
      remove: async () => {
        if (await hasAccess(context)) throw portStillGranted();
        await releasePort(remover(), id, servers);
      },
    })),
  ];
}

export function serverRemoval(context: DeleteStepContext, id: string): Removal {
  const wait = removalOptions(context, 'server', context.config.timeLimits.serverSeconds);
  const remove = () => removeServer(context.remover(), id, wait);
  return { type: 'server', id, remove, holdsOthers: true };
}

/** Whether a share still grants the instance access. */
async function hasAccess(context: DeleteStepContext): Promise<boolean> {
  const { accessRules, dynamicShareIds } = associatedResourcesOf(context);
  const manager = (await context.service()) ?? context.owner();
  for (const { shareId, ruleId } of accessRules) {
    const rules = (await nullIfNotFound(manager.sharedFileSystem.accessRules.list(shareId))) ?? [];
    if (rules.some(({ id }) => id === ruleId)) return true;
  }
  const { shares } = context.remover().sharedFileSystem;
  for (const id of dynamicShareIds) if ((await nullIfNotFound(shares.get(id))) !== null) return true;
  return false;
}
