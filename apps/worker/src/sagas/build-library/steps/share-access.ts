import { removeAccessRule } from '@gateway/inventory';
import { ruleMark } from '@gateway/libraries';
import { requireState } from '../../../saga/index.ts';
import { awaitAccessRule, findAccessRules } from '../../resources/access-rules.ts';
import { removalOptions, waitOptions } from '../../resources/wait-options.ts';
import { accessOf } from '../access.ts';
import { announce, defineBuildStep } from '../saga.ts';

/** Grants the builder, and only the builder, write access to the share. */
export const grantShareAccess = defineBuildStep<{ accessRuleId: string }>({
  name: 'share-access',
  beginUpdate: announce('BUILDER_PREPARING', 'Access to the share is being granted to the builder.'),
  async run(context) {
    const { type, to } = accessOf(context);
    const service = await context.service();
    const rule = await service.sharedFileSystem.accessRules.allow(requireState(context, 'shareId'), {
      access_type: type,
      access_to: to,
      access_level: 'rw',
      metadata: ruleMark(context.projectId, context.jobId),
    });
    return { accessRuleId: rule.id };
  },
  async find(context) {
    const rules = await findAccessRules(await context.service(), requireState(context, 'shareId'), context);
    return rules.map(({ id }) => ({ accessRuleId: id }));
  },
  async settle(context, { accessRuleId }) {
    const needsKey = requireState(context, 'plan').protocol === 'NATIVEFS';
    const wait = waitOptions(context, 'access_rule', {
      describe: 'The access rule of the share',
      seconds: context.config.timeLimits.shareSeconds,
    });
    await awaitAccessRule(await context.service(), accessRuleId, needsKey, wait);
    return undefined;
  },
  async undo(context, { accessRuleId }) {
    const rule = { shareId: requireState(context, 'shareId'), ruleId: accessRuleId };
    const { shareSeconds } = context.config.timeLimits;
    await removeAccessRule(
      await context.service(),
      rule,
      removalOptions(context, 'access_rule', shareSeconds),
    );
  },
  leftover: ({ accessRuleId }) => ({ type: 'access_rule', id: accessRuleId }),
});
