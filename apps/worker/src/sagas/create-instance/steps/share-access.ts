import { instanceProgress } from '@gateway/jobs';
import { ruleMark } from '../../names.ts';
import { removeAccessRule } from '../../removal.ts';
import { awaitRule, findRuleOf } from '../../share-rules.ts';
import { patience, waiting } from '../../waiting.ts';
import { type CreateStepContext, defineCreateStep, isLayered, type ShareAccess } from '../saga.ts';
import { accessOf, type LayeredShare, layeredShares } from '../shares.ts';

/**
 * Lets the instance, and only it, into its shares. A rule that bears the job's mark already was made by an
 * interrupted run of it.
 */
export const allowShareAccess = defineCreateStep<{ accesses: ShareAccess[] }>({
  name: 'share-access',
  announce: {
    step: 'FILESHARE_PREPARING',
    progress: instanceProgress.FILESHARE_PREPARING,
    message: 'The instance is being let into the share of its libraries.',
  },
  when: isLayered,
  makesSeveral: true,
  async run(context) {
    const accesses: ShareAccess[] = [];
    for (const share of await layeredShares(context)) {
      const ruleId = (await findRule(share, context)) ?? (await allow(share, context));
      accesses.push({ shareId: share.id, ruleId });
    }
    return { accesses };
  },
  async find(context) {
    const accesses: ShareAccess[] = [];
    for (const share of await layeredShares(context, context.remover())) {
      const ruleId = await findRule(share, context);
      if (ruleId !== null) accesses.push({ shareId: share.id, ruleId });
    }
    return accesses.length === 0 ? null : { accesses };
  },
  async settle(context, { accesses }) {
    const shares = await layeredShares(context);
    for (const { shareId, ruleId } of accesses) {
      const share = shares.find(({ id }) => id === shareId);
      if (share === undefined) continue;
      const wait = waiting(context, 'The access rule of the share', context.config.timeLimits.shareSeconds);
      await awaitRule(share.manager, ruleId, share.protocol === 'NATIVEFS', wait);
    }
    return undefined;
  },
  async undo(context, { accesses }) {
    const shares = await layeredShares(context, context.remover());
    for (const access of accesses) {
      const share = shares.find(({ id }) => id === access.shareId);
      if (share === undefined) continue;
      await removeAccessRule(
        share.manager,
        access,
        patience(context, context.config.timeLimits.shareSeconds),
      );
    }
  },
  leftover: ({ accesses }) => ({ type: 'access_rule', id: accesses.map(({ ruleId }) => ruleId).join(',') }),
});

function findRule(share: LayeredShare, context: CreateStepContext): Promise<string | null> {
  return findRuleOf(share.manager, share.id, context);
}

async function allow(share: LayeredShare, context: CreateStepContext): Promise<string> {
  const { accessTo, accessType, accessLevel } = accessOf(context, share);
  const rule = await share.manager.sharedFileSystem.accessRules.allow(share.id, {
    access_type: accessType,
    access_to: accessTo,
    access_level: accessLevel,
    metadata: ruleMark(context.projectId, context.jobId),
  });
  return rule.id;
}
