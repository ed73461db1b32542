import { instanceDeletionProgress } from '@gateway/jobs';
import { isNotFound } from '@gateway/openstack';
import { defineDeleteStep } from '../saga.ts';

export const deleteServer = defineDeleteStep<Record<never, never>>({
  name: 'server',
  announce: {
    step: 'SERVER_DELETING',
    progress: instanceDeletionProgress.SERVER_DELETING,
    message: 'The server is being deleted.',
  },
  async run(context) {
    try {
      await context.owner().compute.servers.remove(context.instanceId);
    } catch (error) {
      // Gone between the look-up and now: somebody else has deleted it, its belongings are still ours.
      if (!isNotFound(error)) throw error;
    }
    return {};
  },
});
