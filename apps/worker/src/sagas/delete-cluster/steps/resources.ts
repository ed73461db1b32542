import { clusterDeletionProgress } from '@gateway/jobs';
import { requireState } from '@gateway/saga';
import { findResources } from '../find-resources.ts';
import { removalStep } from '../removal-step.ts';
import { belongingRemovals, machineRemovals } from '../removals.ts';
import { type ClusterResources, defineDeleteStep, hasRecord } from '../saga.ts';

export const lookUpResources = defineDeleteStep<{ resources: ClusterResources }>({
  name: 'look-up',
  when: hasRecord,
  run: async (context) => ({ resources: await findResources(context) }),
});

/** All workers at the same time, then the control node. */
export const removeMachines = removalStep({
  name: 'machines',
  beginUpdate: {
    step: 'machines',
    progress: clusterDeletionProgress.machines,
    message: 'The virtual machines are being deleted.',
  },
  leftoversKey: 'machinesLeft',
  removals: (context) => machineRemovals(context, requireState(context, 'resources')),
});

/** Volumes, floating IPs, ports, the security group, and the credential of the plugins. */
export const removeBelongings = removalStep({
  name: 'belongings',
  beginUpdate: {
    step: 'resources',
    progress: clusterDeletionProgress.resources,
    message: 'What belonged to the virtual machines is being deleted.',
  },
  leftoversKey: 'belongingsLeft',
  removals: (context) => belongingRemovals(context, requireState(context, 'resources')),
});
