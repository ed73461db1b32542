import { isRuleOf } from '@gateway/libraries';
import {
  type AccessRuleRecord,
  type BoundClient,
  FailedStateError,
  knownMarks,
  nullIfNotFound,
  type WaitOptions,
  waitFor,
} from '@gateway/openstack';

/** The access rules that a job has created on a share; none when the share is gone. */
export async function findAccessRules(
  { sharedFileSystem }: BoundClient,
  shareId: string,
  { projectId, jobId }: { projectId: string; jobId: string },
): Promise<AccessRuleRecord[]> {
  const rules = (await nullIfNotFound(sharedFileSystem.accessRules.list(shareId))) ?? [];
  return rules.filter((rule) => isRuleOf(knownMarks('sharedFileSystem', rule), projectId, jobId));
}

/** Waits until an access rule is active and, where the protocol uses keys, has its key. */
export async function awaitAccessRule(
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
