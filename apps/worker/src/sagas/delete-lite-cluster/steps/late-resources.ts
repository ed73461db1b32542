import type { Leftover } from '@gateway/jobs';
import { requireState } from '../../../saga/index.ts';
import type { Removal } from '../../resources/remove-all.ts';
import { removeGroups } from '../../resources/remove-groups.ts';
import { Searches } from '../../resources/searches.ts';
import { endSearch } from '../describe-rest.ts';
import { findOwnLoadBalancers } from '../find-load-balancers.ts';
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

interface Found {
  lateLoadBalancers: ServiceLoadBalancer[];
  lateResources: LiteClusterResources;
}

/**
 * Programs in the cluster may have created load balancers until its machines were gone, and earlier searches
 * may have failed. What cannot be searched for now either is a leftover: each sweep searches for everything
 * again and removes what it finds.
 */
export const recheckResources = defineDeleteStep<Found & { searchLeft: Leftover[] }>({
  name: 'recheck',
  when: hasRecord,
  async run(context) {
    const searches = new Searches(context);
    const found = await findAll(context, searches);
    const { undoSeconds } = context.config.timeLimits;
    return { ...found, searchLeft: await endSearch(context, searches, undoSeconds * 1000) };
  },
  leftovers: ({ searchLeft = [] }) => searchLeft,
  async sweep(context, result) {
    const searches = new Searches(context);
    const left = await removeAgain(context, await findAll(context, searches));
    return { ...result, searchLeft: [...searches.left, ...left] };
  },
});

async function findAll(context: DeleteLiteClusterStepContext, searches: Searches): Promise<Found> {
  const [lateLoadBalancers, lateResources] = await Promise.all([
    findOwnLoadBalancers(context, searches),
    findResources(context, searches),
  ]);
  return { lateLoadBalancers, lateResources };
}

/**
 * Tries once to remove what a sweep has found. A load balancer stays as long as one of its floating IPs: the
 * next sweep could not find that without it.
 */
async function removeAgain(
  context: DeleteLiteClusterStepContext,
  { lateLoadBalancers, lateResources }: Found,
): Promise<Leftover[]> {
  const [addresses = [], balancers = []] = loadBalancerRemovals(context, lateLoadBalancers);
  const addressesLeft = await removeGroups(context, [unknown(context, addresses)], 0);
  const isLeft = (id: string) => addressesLeft.some((left) => left.id === id);
  const kept = lateLoadBalancers.filter(({ floatingIpIds, keptFloatingIpIds }) =>
    [...floatingIpIds, ...keptFloatingIpIds].some(isLeft),
  );
  const groups = [
    balancers.filter(({ id }) => kept.every((balancer) => balancer.id !== id)),
    ...serverRemovals(context, lateResources),
    ...resourceRemovals(context, lateResources),
  ];
  const left = await removeGroups(
    context,
    groups.map((group) => unknown(context, group)),
    0,
  );
  return [...addressesLeft, ...left];
}

/** Earlier steps sweep their own leftovers. */
export const removeLateResources = removalStep({
  name: 'late-resources',
  leftoversKey: 'lateLeft',
  removals(context) {
    const groups = [
      ...loadBalancerRemovals(context, requireState(context, 'lateLoadBalancers')),
      ...serverRemovals(context, requireState(context, 'lateResources')),
      ...resourceRemovals(context, requireState(context, 'lateResources')),
    ];
    return groups.map((group) => unknown(context, group));
  },
});

/** Without the leftovers of earlier steps. */
function unknown({ state }: DeleteLiteClusterStepContext, group: readonly Removal[]): Removal[] {
  const { loadBalancersLeft = [], machinesLeft = [], resourcesLeft = [] } = state;
  const known = new Set([...loadBalancersLeft, ...machinesLeft, ...resourcesLeft].map(({ id }) => id));
  return group.filter(({ id }) => !known.has(id));
}
