import { buildProgress } from '@gateway/jobs';
import { need } from '../../need.ts';
import { removeAccessRule } from '../../removal.ts';
import { patience } from '../../waiting.ts';
import { announce, defineBuildStep } from '../saga.ts';

/** Nobody writes into the share from here on. */
export const withdrawAccess = defineBuildStep<Record<never, never>>({
  name: 'withdraw-access',
  announce: announce(
    'ACCESS_WITHDRAWING',
    buildProgress.ACCESS_WITHDRAWING,
    "The builder's access to the share is being withdrawn.",
  ),
  async run(context) {
    const rule = { shareId: need(context, 'shareId'), ruleId: need(context, 'accessRuleId') };
    const { shareSeconds } = context.config.timeLimits;
    await removeAccessRule(await context.service(), rule, patience(context, shareSeconds));
    return {};
  },
});
