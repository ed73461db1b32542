import { instanceProgress } from '@gateway/jobs';
import { userDataOf } from '../first-boot.ts';
import { defineCreateStep } from '../saga.ts';

/** Makes the first-boot data once, to find out before the server is made whether it can be made at all. */
export const generateUserData = defineCreateStep<Record<never, never>>({
  name: 'user-data',
  announce: {
    step: 'USERDATA_GENERATING',
    progress: instanceProgress.USERDATA_GENERATING,
    message: 'The first-boot data is being generated.',
  },
  async run(context) {
    await userDataOf(context);
    return {};
  },
});
