import type { RestoreContext } from './restore-context.ts';

const CREATION =
  'The creation was interrupted: the data of the gateway were restored from an older copy. The cluster may run, but the gateway cannot manage it. Please delete it, and create it again.';
const DELETION =
  'The deletion was interrupted: the data of the gateway were restored from an older copy. Administrators find what is left among the leftovers.';

/**
 * Gives clusters whose creation was interrupted a status of their own, so that their users can delete them,
 * and leaves what an interrupted deletion has not removed to the administrators. Secrets stay. Returns the
 * number of such clusters.
 */
export async function endClusterChanges({ liteClusters }: RestoreContext, now: number): Promise<number> {
  let count = 0;
  for (const id of await liteClusters.openIds()) {
    const cluster = await liteClusters.read(id);
    if (cluster?.status !== 'CREATING') continue;
    const change = { status: 'ERROR', statusReason: CREATION } as const;
    if (await liteClusters.update(cluster, change, ['CREATING'])) count += 1;
  }
  for (const id of await liteClusters.removingIds()) {
    const cluster = await liteClusters.read(id);
    if (cluster === null) continue;
    await liteClusters.updateDeleted(cluster, { statusReason: DELETION });
    await liteClusters.finishRemoval(cluster, now);
    count += 1;
  }
  return count;
}
