import { clusterDeletionProgress, type Leftover } from '@gateway/jobs';
import { requireState } from '@gateway/saga';
import { removeGroups, sweepGroups } from '../../resources/remove-groups.ts';
import { findServiceLoadBalancers } from '../find-load-balancers.ts';
import { loadBalancerRemovals } from '../removals.ts';
import { defineDeleteStep, hasRecord, type ServiceLoadBalancer } from '../saga.ts';

export const findLoadBalancers = defineDeleteStep<{ loadBalancers: ServiceLoadBalancer[] }>({
  name: 'find-load-balancers',
  when: hasRecord,
  beginUpdate: {
    step: 'load_balancers',
    progress: clusterDeletionProgress.load_balancers,
    message: "The load balancers of the cluster's services are being deleted.",
  },
  run: async (context) => ({ loadBalancers: await findServiceLoadBalancers(context) }),
});

/** They have ports in the network of the nodes, so they go first. */
export const removeLoadBalancers = defineDeleteStep<{ loadBalancersLeft: Leftover[] }>({
  name: 'load-balancers',
  when: hasRecord,
  async run(context) {
    const removals = loadBalancerRemovals(context, requireState(context, 'loadBalancers'));
    const { undoSeconds } = context.config.timeLimits;
    return { loadBalancersLeft: await removeGroups(context, removals, undoSeconds * 1000) };
  },
  leftovers: ({ loadBalancersLeft }) => loadBalancersLeft,
  async sweep(context, { loadBalancersLeft }) {
    const removals = loadBalancerRemovals(context, requireState(context, 'loadBalancers'));
    return { loadBalancersLeft: await sweepGroups(context, removals, loadBalancersLeft) };
  },
});
