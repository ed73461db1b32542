import { instanceProgress } from '@gateway/jobs';
import { FailedStateError, waitFor } from '@gateway/openstack';
import { isRuleOf, ruleMark } from '../../names.ts';
import { orNull, removeAccessRule } from '../../removal.ts';
import {
  type CreateStepContext,
  defineCreateStep,
  isLayered,
  patience,
  type ShareAccess,
  waiting,
} from '../saga.ts';
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
      if (share !== undefined) await awaitActive(context, share, ruleId);
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

async function findRule(share: LayeredShare, context: CreateStepContext): Promise<string | null> {
  // A share that an earlier rollback has removed has no rules either.
  const rules = (await orNull(share.manager.sharedFileSystem.accessRules.list(share.id))) ?? [];
  return rules.find((rule) => isRuleOf(rule, context.projectId, context.jobId))?.id ?? null;
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

async function awaitActive(context: CreateStepContext, share: LayeredShare, ruleId: string): Promise<void> {
  await waitFor(
    async () => {
      const rule = await share.manager.sharedFileSystem.accessRules.get(ruleId);
      if (rule.state === 'error') {
        throw new FailedStateError('The access rule of the share could not be set.', rule.state);
      }
      const hasKey = share.protocol === 'NFS' || rule.access_key !== null;
      return rule.state === 'active' && hasKey ? rule : undefined;
    },
    waiting(context, 'The access rule of the share', context.config.timeLimits.shareSeconds),
  );
}
