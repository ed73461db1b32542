import { instanceDescription } from '@gateway/core';
import { releaseFloatingIp } from '@gateway/inventory';
import type { Leftover } from '@gateway/jobs';
import { type Removal, removeAll, sweepAll } from '../../resources/remove-all.ts';
import { isUnsearched, Searches } from '../../resources/searches.ts';
import { parking } from '../../resources/wait-options.ts';
import { type DeleteStepContext, defineDeleteStep, ownServers } from '../saga.ts';

/**
 * Releases floating IPs that a request created after the look-up of the associated resources. They have lost
 * their port with the server.
 */
export const releaseLateFloatingIps = defineDeleteStep<{ lateLeftovers: Leftover[] }>({
  name: 'late-floating-ips',
  async run(context) {
    const timeoutMs = context.config.timeLimits.undoSeconds * 1000;
    const searches = new Searches(context);
    const removals = await searches.of('floating_ip', () => findRemovals(context), []);
    searches.retryFor(timeoutMs);
    const { leftovers } = await removeAll(parking(context), removals, timeoutMs);
    return { lateLeftovers: [...searches.left, ...leftovers] };
  },
  leftovers: ({ lateLeftovers }) => lateLeftovers,
  async sweep(context, { lateLeftovers }) {
    if (lateLeftovers.some(isUnsearched)) {
      const searches = new Searches(context);
      const removals = await searches.of('floating_ip', () => findRemovals(context), []);
      const { leftovers } = await removeAll(context, removals, 0);
      return { lateLeftovers: [...searches.left, ...leftovers] };
    }
    const removals = lateLeftovers.map(({ id }) => removalOf(context, id));
    return { lateLeftovers: (await sweepAll(context, removals, lateLeftovers)).leftovers };
  },
});

async function findRemovals(context: DeleteStepContext): Promise<Removal[]> {
  const { lookups, projectId } = context.remover();
  const mark = instanceDescription(context.instanceId);
  const found = await lookups.floatingIps(projectId);
  const late = found.filter(({ description, port_id }) => description === mark && port_id === null);
  return late.map(({ id }) => removalOf(context, id));
}

function removalOf(context: DeleteStepContext, id: string): Removal {
  // Found without a port: who has associated it since then uses it.
  const own = { ...ownServers(context), portIds: [] };
  return { type: 'floating_ip', id, remove: () => releaseFloatingIp(context.remover(), id, own) };
}
