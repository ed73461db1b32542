import { instanceDeletionProgress } from '@gateway/jobs';
import { isNotFound, type ServerRecord } from '@gateway/openstack';
import { orNull } from '../../resources/removal.ts';
import { defineDeleteStep } from '../saga.ts';

export const deleteServer = defineDeleteStep<Record<never, never>>({
  name: 'server',
  announce: {
    step: 'SERVER_DELETING',
    progress: instanceDeletionProgress.SERVER_DELETING,
    message: 'The server is being deleted.',
  },
  commits: true,
  async run(context) {
    try {
      await context.owner().compute.servers.remove(context.instanceId);
    } catch (error) {
      // Gone between the look-up and now: somebody else has deleted it, its belongings are still ours.
      if (!isNotFound(error)) throw error;
    }
    return {};
  },
  async find({ remover, instanceId }) {
    const server = await orNull(remover().compute.servers.get(instanceId));
    const isGoing = server === null || GOING.includes(server.status) || isDeleting(server);
    return isGoing ? {} : null;
  },
});

const GOING = ['DELETED', 'SOFT_DELETED'];

function isDeleting(server: ServerRecord): boolean {
  return (server['OS-EXT-STS:task_state'] ?? '').includes('delet');
}
