import { instanceProgress } from '@gateway/jobs';
import { userDataOf } from '../first-boot.ts';
import { defineCreateStep, isLayered } from '../saga.ts';

/**
 * Generates the first-boot data once, to find out before the server is created whether that is possible: only now the
 * shares tell their paths and keys. Without libraries the plan has already checked everything.
 */
export const generateUserData = defineCreateStep<Record<never, never>>({
  name: 'user-data',
  beginUpdate: {
    step: 'USERDATA_GENERATING',
    progress: instanceProgress.USERDATA_GENERATING,
    message: 'The first-boot data is being generated.',
  },
  when: isLayered,
  async run(context) {
    await userDataOf(context);
    return {};
  },
});
