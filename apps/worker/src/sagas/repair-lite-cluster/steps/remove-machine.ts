import { removeServer, removeVolume } from '@gateway/inventory';
import type { Leftover } from '@gateway/jobs';
import { requireState } from '../../../saga/index.ts';
import { type Removal, removeAll, sweepAll } from '../../resources/remove-all.ts';
import { removalOptions } from '../../resources/wait-options.ts';
import { announce, defineRepairStep, type RepairLiteClusterStepContext } from '../saga.ts';

/**
 * Removes the server of the old agent, with its port, and its volume. The cluster is repaired even if they
 * cannot be removed: what remains is a leftover, which sweeps remove.
 */
export const removeMachine = defineRepairStep<{ machineLeft: Leftover[] }>({
  name: 'remove-machine',
  beginUpdate: announce('nodes_removing', 'The replaced node is being removed.'),
  onRepeat: 'idempotent',
  async run(context) {
    const { undoSeconds } = context.config.timeLimits;
    const { leftovers } = await removeAll(context, removals(context), undoSeconds * 1000);
    return { machineLeft: leftovers };
  },
  leftovers: ({ machineLeft }) => machineLeft,
  async sweep(context, { machineLeft }) {
    const { leftovers } = await sweepAll(context, removals(context), machineLeft);
    return { machineLeft: leftovers };
  },
});

function removals(context: RepairLiteClusterStepContext): Removal[] {
  const { serverSeconds, volumeSeconds } = context.config.timeLimits;
  const { vmId, volumeId } = requireState(context, 'replaced');
  return [
    {
      type: 'server',
      id: vmId,
      remove: () => removeServer(context.remover(), vmId, removalOptions(context, 'server', serverSeconds)),
    },
    {
      type: 'volume',
      id: volumeId,
      remove: () => removeVolume(context, volumeId, removalOptions(context, 'volume', volumeSeconds), {}),
    },
  ];
}
