import { announce, defineCreateStep, isLayered } from '../saga.ts';
import { PLACEHOLDER_TOKEN, userDataOf } from '../user-data.ts';

/**
 * Generates the first-boot data once, to check before the server is created that this is possible: only now
 * are the paths and keys of the shares known. Without libraries the plan has already checked everything.
 */
export const generateUserData = defineCreateStep<Record<never, never>>({
  name: 'user-data',
  beginUpdate: announce('USERDATA_GENERATING', 'The first-boot data is being generated.'),
  when: isLayered,
  async run(context) {
    await userDataOf(context, PLACEHOLDER_TOKEN);
    return {};
  },
});
