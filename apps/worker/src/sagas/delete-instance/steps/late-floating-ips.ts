import type { Leftover } from '@gateway/jobs';
import { instanceDescription } from '@gateway/marks';
import { removeFloatingIp } from '../../resources/removal.ts';
import { type Removal, removeAll, sweepAll } from '../../resources/remove-all.ts';
import { parking } from '../../resources/wait-options.ts';
import { type DeleteStepContext, defineDeleteStep } from '../saga.ts';

/**
 * Releases floating IPs that a request created after the look-up of the associated resources. They have lost
 * their port with the server.
 */
export const releaseLateFloatingIps = defineDeleteStep<{ lateLeftovers: Leftover[] }>({
  name: 'late-floating-ips',
  async run(context) {
    const { lookups, projectId } = context.remover();
    const mark = instanceDescription(context.instanceId);
    const found = await lookups.floatingIps(projectId);
    const late = found.filter(({ description, port_id }) => description === mark && port_id === null);
    const ids = late.map(({ id }) => id);
    const { undoSeconds } = context.config.timeLimits;
    const { leftovers } = await removeAll(parking(context), removalsOf(context, ids), undoSeconds * 1000);
    return { lateLeftovers: leftovers };
  },
  leftovers: ({ lateLeftovers }) => lateLeftovers,
  async sweep(context, { lateLeftovers }) {
    const ids = lateLeftovers.map(({ id }) => id);
    const { leftovers } = await sweepAll(context, removalsOf(context, ids), lateLeftovers);
    return { lateLeftovers: leftovers };
  },
});

function removalsOf(context: DeleteStepContext, ids: readonly string[]): Removal[] {
  return ids.map((id) => ({
    type: 'floating_ip',
    id,
    remove: () => removeFloatingIp(context.remover(), id),
  }));
}
