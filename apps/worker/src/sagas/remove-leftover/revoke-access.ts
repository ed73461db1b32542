import type { MarkedResource } from '@gateway/inventory';
import { portStillGranted, removeAccessRule } from '@gateway/inventory';
import { isRuleOf } from '@gateway/libraries';
import { knownMarks, type ShareQuery } from '@gateway/openstack';
import { isOffered } from '@gateway/resources';
import { removalOptions } from '../resources/wait-options.ts';
import type { RemoveLeftoverStepContext } from './saga.ts';

/**
 * Revokes the access of a leftover port's address to shares before another server gets the address. The job
 * that created the port also created the rules. The instance's dynamic share is a separate leftover, which
 * must be removed first.
 */
export async function revokeAccess(
  context: RemoveLeftoverStepContext,
  { jobId, projectId }: MarkedResource,
): Promise<void> {
  const { config, owner } = context;
  if (jobId === null || !(await isOffered(owner(), config.services, 'sharedFileSystem'))) return;
  const { accessRules, shares } = owner().sharedFileSystem;
  const having = (metadata: Record<string, string>) =>
    shares.list({ all_tenants: 1, metadata: JSON.stringify(metadata) } satisfies ShareQuery);
  const dynamic = await having({ overlay_instance: jobId });
  if (dynamic.some((share) => knownMarks('sharedFileSystem', share).overlay_instance === jobId))
    throw portStillGranted();
  const wait = removalOptions(context, 'access_rule', config.timeLimits.shareSeconds);
  for (const { id: shareId } of await having({ overlay_type: 'prebuilt' })) {
    for (const rule of await accessRules.list(shareId)) {
      if (!isRuleOf(knownMarks('sharedFileSystem', rule), projectId, jobId)) continue;
      await removeAccessRule(owner(), { shareId, ruleId: rule.id }, wait);
    }
  }
}
