import { buildProgress, type Leftover } from '@gateway/jobs';
import { requireState } from '@gateway/saga';
import { removePort, removeServer, removeVolume } from '../../resources/removal.ts';
import { type Removal, removeAll, sweepAll } from '../../resources/remove-all.ts';
import { removalOptions } from '../../resources/wait-options.ts';
import { announce, type BuildStepContext, defineBuildStep } from '../saga.ts';

/**
 * The library is usable even if the builder cannot be removed: what remains is a leftover, which sweeps
 * remove.
 */
export const removeBuilder = defineBuildStep<{ leftovers: Leftover[] }>({
  name: 'remove-builder',
  beginUpdate: announce('BUILDER_DELETING', buildProgress.BUILDER_DELETING, 'The builder is being deleted.'),
  run: (context) => removeAll(context, removals(context), context.config.timeLimits.undoSeconds * 1000),
  leftovers: ({ leftovers }) => leftovers,
  sweep: (context, { leftovers }) => sweepAll(context, removals(context), leftovers),
});

function removals(context: BuildStepContext): Removal[] {
  const { state, config, remover } = context;
  const { serverSeconds, volumeSeconds } = config.timeLimits;
  const serverId = requireState(context, 'serverId');
  const volumeId = requireState(context, 'bootVolumeId');
  const { port } = state;
  return [
    {
      type: 'server',
      id: serverId,
      remove: async () =>
        removeServer(await remover(), serverId, removalOptions(context, 'server', serverSeconds)),
    },
    {
      type: 'volume',
      id: volumeId,
      remove: async () =>
        removeVolume(
          await context.resourceOwner.removal(),
          volumeId,
          removalOptions(context, 'volume', volumeSeconds),
        ),
    },
    ...(port === undefined
      ? []
      : [{ type: 'port', id: port.id, remove: async () => removePort(await remover(), port.id) }]),
  ];
}
