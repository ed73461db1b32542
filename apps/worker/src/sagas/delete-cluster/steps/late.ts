import type { Leftover } from '@gateway/jobs';
import { requireState } from '@gateway/saga';
import { removeGroups, sweepGroups } from '../../resources/remove-groups.ts';
import { findServiceLoadBalancers } from '../find-load-balancers.ts';
import { findResources } from '../find-resources.ts';
import { belongingRemovals, loadBalancerRemovals, machineRemovals } from '../removals.ts';
import {
  type ClusterResources,
  type DeleteClusterStepContext,
  defineDeleteStep,
  hasRecord,
  type ServiceLoadBalancer,
} from '../saga.ts';

/** Programs in the cluster may have created load balancers until its machines were gone. */
export const lookAgain = defineDeleteStep<{
  lateLoadBalancers: ServiceLoadBalancer[];
  lateResources: ClusterResources;
}>({
  name: 'look-again',
  when: hasRecord,
  async run(context) {
    const [lateLoadBalancers, lateResources] = await Promise.all([
      findServiceLoadBalancers(context),
      findResources(context),
    ]);
    return { lateLoadBalancers, lateResources };
  },
});

/** What earlier steps have left is swept by them. */
export const removeLate = defineDeleteStep<{ lateLeft: Leftover[] }>({
  name: 'late',
  when: hasRecord,
  async run(context) {
    const { undoSeconds } = context.config.timeLimits;
    return { lateLeft: await removeGroups(context, lateRemovals(context), undoSeconds * 1000) };
  },
  leftovers: ({ lateLeft }) => lateLeft,
  sweep: async (context, { lateLeft }) => ({
    lateLeft: await sweepGroups(context, lateRemovals(context), lateLeft),
  }),
});

function lateRemovals(context: DeleteClusterStepContext) {
  const { loadBalancersLeft = [], machinesLeft = [], belongingsLeft = [] } = context.state;
  const known = new Set([...loadBalancersLeft, ...machinesLeft, ...belongingsLeft].map(({ id }) => id));
  const resources = requireState(context, 'lateResources');
  const groups = [
    ...loadBalancerRemovals(context, requireState(context, 'lateLoadBalancers')),
    ...machineRemovals(context, resources),
    ...belongingRemovals(context, resources),
  ];
  return groups.map((group) => group.filter(({ id }) => !known.has(id)));
}
