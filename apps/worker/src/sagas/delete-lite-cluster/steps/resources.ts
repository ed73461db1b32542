import type { Leftover } from '@gateway/jobs';
import { requireState } from '../../../saga/index.ts';
import { Searches } from '../../resources/searches.ts';
import { endSearch } from '../describe-rest.ts';
import { findResources } from '../find-resources.ts';
import { removalStep } from '../removal-step.ts';
import { resourceRemovals, serverRemovals } from '../removals.ts';
import { announce, defineDeleteStep, hasRecord, type LiteClusterResources } from '../saga.ts';

/** What cannot be searched for now is searched for again once the machines are gone. */
export const lookUpResources = defineDeleteStep<{
  resources: LiteClusterResources;
  resourcesUnsearched: Leftover[];
}>({
  name: 'look-up',
  when: hasRecord,
  async run(context) {
    const searches = new Searches(context);
    const resources = await findResources(context, searches);
    return { resources, resourcesUnsearched: await endSearch(context, searches, 0) };
  },
});

/** All agents at the same time, then the control node. */
export const removeServers = removalStep({
  name: 'machines',
  beginUpdate: announce('machines', 'The virtual machines are being deleted.'),
  leftoversKey: 'machinesLeft',
  removals: (context) => serverRemovals(context, requireState(context, 'resources')),
});

/** Volumes, floating IPs, ports, the security group, and the credential of the plugins. */
export const removeResources = removalStep({
  name: 'resources',
  beginUpdate: announce('resources', 'What belonged to the virtual machines is being deleted.'),
  leftoversKey: 'resourcesLeft',
  removals: (context) => resourceRemovals(context, requireState(context, 'resources')),
});
