import {
  type AccessRuleRecord,
  type BoundClient,
  FailedStateError,
  type WaitOptions,
  waitFor,
} from '@gateway/openstack';
import { isRuleOf } from './names.ts';
import { orNull } from './removal.ts';

/** The rules by which a job has let its machine into a share; none when the share is gone. */
export async function findRulesOf(
  { sharedFileSystem }: BoundClient,
  shareId: string,
  { projectId, jobId }: { projectId: string; jobId: string },
): Promise<AccessRuleRecord[]> {
  const rules = (await orNull(sharedFileSystem.accessRules.list(shareId))) ?? [];
  return rules.filter((rule) => isRuleOf(rule, projectId, jobId));
}

/** Waits until a rule holds and, where machines show a key, until that is there. */
export async function awaitRule(
  { sharedFileSystem }: BoundClient,
  ruleId: string,
  needsKey: boolean,
  options: WaitOptions,
): Promise<void> {
  await waitFor(async () => {
    const rule = await sharedFileSystem.accessRules.get(ruleId);
    if (rule.state === 'error') {
      throw new FailedStateError('The access rule of the share could not be set.', rule.state);
    }
    const isComplete = !needsKey || rule.access_key !== null;
    return rule.state === 'active' && isComplete ? rule : undefined;
  }, options);
}
