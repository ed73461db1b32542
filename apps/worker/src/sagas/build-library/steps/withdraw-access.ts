import { removeAccessRule } from '@gateway/inventory';
import { nullIfNotFound } from '@gateway/openstack';
import { requireState } from '../../../saga/index.ts';
import { removalOptions } from '../../resources/wait-options.ts';
import { announce, type BuildStepContext, defineBuildStep } from '../saga.ts';

/** Nobody can write to the share from here on. */
export const withdrawAccess = defineBuildStep<Record<never, never>>({
  name: 'withdraw-access',
  beginUpdate: announce('ACCESS_WITHDRAWING', "The builder's access to the share is being withdrawn."),
  onRepeat: 'idempotent',
  async run(context) {
    const { shareId, ruleId } = ruleOf(context);
    const { accessRules } = (await context.service()).sharedFileSystem;
    await nullIfNotFound(accessRules.deny(shareId, ruleId));
    return {};
  },
  async find(context) {
    const { shareId, ruleId } = ruleOf(context);
    const { accessRules } = (await context.service()).sharedFileSystem;
    const rules = (await nullIfNotFound(accessRules.list(shareId))) ?? [];
    const rule = rules.find(({ id }) => id === ruleId);
    return rule === undefined || DENYING_STATES.includes(rule.state) ? [{}] : [];
  },
  async settle(context) {
    const { shareSeconds } = context.config.timeLimits;
    await removeAccessRule(
      await context.service(),
      ruleOf(context),
      removalOptions(context, 'access_rule', shareSeconds),
    );
    return undefined;
  },
});

const DENYING_STATES = ['queued_to_deny', 'denying'];

function ruleOf(context: BuildStepContext): { shareId: string; ruleId: string } {
  return { shareId: requireState(context, 'shareId'), ruleId: requireState(context, 'accessRuleId') };
}
