import type { Leftover } from '@gateway/jobs';
import { requireState } from '../../../saga/index.ts';
import { Searches } from '../../resources/searches.ts';
import { endSearch } from '../describe-rest.ts';
import { findOwnLoadBalancers } from '../find-load-balancers.ts';
import { removalStep } from '../removal-step.ts';
import { loadBalancerRemovals } from '../removals.ts';
import { announce, defineDeleteStep, hasRecord, type ServiceLoadBalancer } from '../saga.ts';

/** How long the machines wait for a service that does not respond: a short outage changes no order. */
const PATIENCE_SECONDS = 10;

export const findLoadBalancers = defineDeleteStep<{
  loadBalancers: ServiceLoadBalancer[];
  loadBalancersUnsearched: Leftover[];
}>({
  name: 'find-load-balancers',
  when: hasRecord,
  beginUpdate: announce('load_balancers', "The load balancers of the cluster's services are being deleted."),
  async run(context) {
    const searches = new Searches(context);
    const loadBalancers = await findOwnLoadBalancers(context, searches);
    const loadBalancersUnsearched = await endSearch(context, searches, PATIENCE_SECONDS * 1000);
    return { loadBalancers, loadBalancersUnsearched };
  },
});

/** Load balancers have ports in the network of the nodes, so they are removed first. */
export const removeLoadBalancers = removalStep({
  name: 'load-balancers',
  leftoversKey: 'loadBalancersLeft',
  retrySeconds: PATIENCE_SECONDS,
  removals: (context) => loadBalancerRemovals(context, requireState(context, 'loadBalancers')),
});
