import { clusterDeletionProgress } from '@gateway/jobs';
import { requireState } from '@gateway/saga';
import { findResources } from '../find-resources.ts';
import { removalStep } from '../removal-step.ts';
import { resourceRemovals, serverRemovals } from '../removals.ts';
import { defineDeleteStep, hasRecord, type LiteClusterResources } from '../saga.ts';

export const lookUpResources = defineDeleteStep<{ resources: LiteClusterResources }>({
  name: 'look-up',
  when: hasRecord,
  run: async (context) => ({ resources: await findResources(context) }),
});

/** All agents at the same time, then the control node. */
export const removeServers = removalStep({
  name: 'machines',
  beginUpdate: {
    step: 'machines',
    progress: clusterDeletionProgress.machines,
    message: 'The virtual machines are being deleted.',
  },
  leftoversKey: 'machinesLeft',
  removals: (context) => serverRemovals(context, requireState(context, 'resources')),
});

/** Volumes, floating IPs, ports, the security group, and the credential of the plugins. */
export const removeResources = removalStep({
  name: 'resources',
  beginUpdate: {
    step: 'resources',
    progress: clusterDeletionProgress.resources,
    message: 'What belonged to the virtual machines is being deleted.',
  },
  leftoversKey: 'resourcesLeft',
  removals: (context) => resourceRemovals(context, requireState(context, 'resources')),
});
