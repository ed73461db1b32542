import { clusterDeletionProgress } from '@gateway/jobs';
import { requireState } from '@gateway/saga';
import { findServiceLoadBalancers } from '../find-load-balancers.ts';
import { removalStep } from '../removal-step.ts';
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

/** Load balancers have ports in the network of the nodes, so they are removed first. */
export const removeLoadBalancers = removalStep({
  name: 'load-balancers',
  leftoversKey: 'loadBalancersLeft',
  removals: (context) => loadBalancerRemovals(context, requireState(context, 'loadBalancers')),
});
