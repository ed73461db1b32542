import { conflict } from '@gateway/core';
import { isBeingDeleted, isNotFound, nullIfNotFound } from '@gateway/openstack';
import { removeAll } from '../../resources/remove-all.ts';
import { removals } from '../removals.ts';
import { announce, defineDeleteStep } from '../saga.ts';
import { findDuplicates } from './duplicates.ts';

export const deleteServer = defineDeleteStep<Record<never, never>>({
  name: 'server',
  beginUpdate: announce('SERVER_DELETING', 'The server is being deleted.'),
  commits: true,
  onRepeat: 'idempotent',
  async run(context) {
    try {
      await context.owner().compute.servers.remove(context.instanceId);
    } catch (error) {
      // Another client has deleted the server since it was read. Its associated resources remain to be
      // removed.
      if (!isNotFound(error)) throw error;
    }
    return {};
  },
  async find({ remover, instanceId }) {
    const server = await nullIfNotFound(remover().compute.servers.get(instanceId));
    const isGoing = server === null || GOING.includes(server.status) || isBeingDeleted(server);
    return isGoing ? [{}] : [];
  },
  /**
   * A deleted server cannot be restored. If the delete takes effect after the job has failed, removes the
   * server's associated resources.
   */
  async undo(context) {
    const all = removals(context, await findDuplicates(context));
    const { leftovers } = await removeAll(context, all, 0);
    const [left] = leftovers;
    if (left !== undefined)
      throw conflict(
        'incomplete',
        `What belonged to the server could not be deleted: ${left.type.replaceAll('_', ' ')} ${left.id}: ${left.reason}`,
      );
  },
});

const GOING = ['DELETED', 'SOFT_DELETED'];
