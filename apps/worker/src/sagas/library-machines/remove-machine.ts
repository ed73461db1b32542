import { releasePort, removeAccessRule, removeServer, removeVolume } from '@gateway/inventory';
import { requireState } from '../../saga/index.ts';
import type { Removal } from '../resources/remove-all.ts';
import type { ShareAccess } from '../resources/share-access-step.ts';
import { parkUntil, removalOptions } from '../resources/wait-options.ts';
import type { MachineStepContext } from './context.ts';

/** What a machine used besides its server and its boot volume. */
interface MachineParts {
  volumeIds?: string[];
  accesses?: ShareAccess[];
  portId?: string | undefined;
}

/**
 * The removals of a machine that has done its work, in their order: the next server with its address must not
 * have access to its shares.
 */
export function machineRemovals<Report>(
  context: MachineStepContext<Report>,
  { volumeIds = [], accesses = [], portId }: MachineParts,
): Removal[] {
  const { remover, resourceOwner, service } = context;
  const { serverSeconds, shareSeconds, volumeSeconds } = context.config.timeLimits;
  const serverId = requireState(context, 'serverId');
  return [
    {
      type: 'server',
      id: serverId,
      remove: async () =>
        removeServer(await remover(), serverId, removalOptions(context, 'server', serverSeconds)),
    },
    ...[requireState(context, 'bootVolumeId'), ...volumeIds].map((id) => ({
      type: 'volume',
      id,
      remove: async () =>
        removeVolume(await resourceOwner.removal(), id, removalOptions(context, 'volume', volumeSeconds)),
    })),
    ...accesses.map((access) => ({
      type: 'access_rule',
      id: access.ruleId,
      remove: async () => {
        // While the rule exists, the service refuses the same rule of a late call.
        parkUntil(context.lateUntil);
        await removeAccessRule(await service(), access, removalOptions(context, 'access_rule', shareSeconds));
      },
    })),
    ...(portId === undefined
      ? []
      : [
          {
            type: 'port',
            id: portId,
            remove: async () => releasePort(await remover(), portId, { deviceIds: [serverId] }),
          },
        ]),
  ];
}
