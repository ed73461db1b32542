import { requireState } from '@gateway/saga';
import { findServiceLoadBalancers } from '../find-load-balancers.ts';
import { findResources } from '../find-resources.ts';
import { removalStep } from '../removal-step.ts';
import { loadBalancerRemovals, resourceRemovals, serverRemovals } from '../removals.ts';
import {
  type DeleteLiteClusterStepContext,
  defineDeleteStep,
  hasRecord,
  type LiteClusterResources,
  type ServiceLoadBalancer,
} from '../saga.ts';

/** Programs in the cluster may have created load balancers until its machines were gone. */
export const recheckResources = defineDeleteStep<{
  lateLoadBalancers: ServiceLoadBalancer[];
  lateResources: LiteClusterResources;
}>({
  name: 'recheck',
  when: hasRecord,
  async run(context) {
    const [lateLoadBalancers, lateResources] = await Promise.all([
      findServiceLoadBalancers(context),
      findResources(context),
    ]);
    return { lateLoadBalancers, lateResources };
  },
});

/** Earlier steps sweep their own leftovers. */
export const removeLateResources = removalStep({
  name: 'late-resources',
  leftoversKey: 'lateLeft',
  removals: lateRemovals,
});

function lateRemovals(context: DeleteLiteClusterStepContext) {
  const { loadBalancersLeft = [], machinesLeft = [], resourcesLeft = [] } = context.state;
  const known = new Set([...loadBalancersLeft, ...machinesLeft, ...resourcesLeft].map(({ id }) => id));
  const resources = requireState(context, 'lateResources');
  const groups = [
    ...loadBalancerRemovals(context, requireState(context, 'lateLoadBalancers')),
    ...serverRemovals(context, resources),
    ...resourceRemovals(context, resources),
  ];
  return groups.map((group) => group.filter(({ id }) => !known.has(id)));
}
