import { requireState } from '@gateway/saga';
import { findServiceLoadBalancers } from '../find-load-balancers.ts';
import { findResources } from '../find-resources.ts';
import { removalStep } from '../removal-step.ts';
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
export const removeLate = removalStep({ name: 'late', leftoversKey: 'lateLeft', removals: lateRemovals });

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
