import { clusterDeletionProgress, type Leftover } from '@gateway/jobs';
import { requireState } from '@gateway/saga';
import { removeGroups, sweepGroups } from '../../resources/remove-groups.ts';
import { findResources } from '../find-resources.ts';
import { belongingRemovals, machineRemovals } from '../removals.ts';
import { type ClusterResources, defineDeleteStep, hasRecord } from '../saga.ts';

export const lookUpResources = defineDeleteStep<{ resources: ClusterResources }>({
  name: 'look-up',
  when: hasRecord,
  run: async (context) => ({ resources: await findResources(context) }),
});

/** All workers at the same time, then the control node. */
export const removeMachines = defineDeleteStep<{ machinesLeft: Leftover[] }>({
  name: 'machines',
  when: hasRecord,
  beginUpdate: {
    step: 'machines',
    progress: clusterDeletionProgress.machines,
    message: 'The virtual machines are being deleted.',
  },
  async run(context) {
    const removals = machineRemovals(context, requireState(context, 'resources'));
    const { undoSeconds } = context.config.timeLimits;
    return { machinesLeft: await removeGroups(context, removals, undoSeconds * 1000) };
  },
  leftovers: ({ machinesLeft }) => machinesLeft,
  async sweep(context, { machinesLeft }) {
    const removals = machineRemovals(context, requireState(context, 'resources'));
    return { machinesLeft: await sweepGroups(context, removals, machinesLeft) };
  },
});

/** Volumes, floating IPs, ports, the security group, and the credential of the plugins. */
export const removeBelongings = defineDeleteStep<{ belongingsLeft: Leftover[] }>({
  name: 'belongings',
  when: hasRecord,
  beginUpdate: {
    step: 'resources',
    progress: clusterDeletionProgress.resources,
    message: 'What belonged to the virtual machines is being deleted.',
  },
  async run(context) {
    const removals = belongingRemovals(context, requireState(context, 'resources'));
    const { undoSeconds } = context.config.timeLimits;
    return { belongingsLeft: await removeGroups(context, removals, undoSeconds * 1000) };
  },
  leftovers: ({ belongingsLeft }) => belongingsLeft,
  async sweep(context, { belongingsLeft }) {
    const removals = belongingRemovals(context, requireState(context, 'resources'));
    return { belongingsLeft: await sweepGroups(context, removals, belongingsLeft) };
  },
});
