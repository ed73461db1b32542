import { pluginsUseCredential } from '@gateway/lite';
import { removeUnusedAccessRules } from '../../lite-clusters/credentials.ts';
import { removeGroups } from '../../resources/remove-groups.ts';
import { parking } from '../../resources/wait-options.ts';
import { clusterOf, defineDeleteStep, hasRecord } from '../saga.ts';

/**
 * Removes the access rules that the cluster's credential has left. Rules that stay in spite of all attempts
 * are no leftover: they permit nothing, and the next deletion removes them.
 */
export const removeAccessRules = defineDeleteStep<{ areRulesRemoved: boolean }>({
  name: 'access-rules',
  when: (context) => hasRecord(context) && pluginsUseCredential(clusterOf(context).plugins),
  onRepeat: 'idempotent',
  async run(context) {
    const { userId } = clusterOf(context);
    const removal = {
      type: 'access_rules',
      id: userId,
      remove: () => removeUnusedAccessRules(context, userId),
    };
    const { undoSeconds } = context.config.timeLimits;
    const left = await removeGroups(parking(context), [[removal]], undoSeconds * 1000);
    return { areRulesRemoved: left.length === 0 };
  },
});
