import type { MarkedResource } from '@gateway/leftovers';
import { isRuleOf } from '@gateway/libraries';
import type { ShareQuery } from '@gateway/openstack';
import { portStillGranted, removeAccessRule } from '../resources/removal.ts';
import { removalOptions } from '../resources/wait-options.ts';
import type { RemoveLeftoverStepContext } from './saga.ts';

/**
 * Ends the access of a stray port's address to shares, before somebody else gets the address. The rules have
 * been created by the same job. A share that the instance had to itself is a leftover of its own, which goes
 * first.
 */
export async function revokeAccess(
  context: RemoveLeftoverStepContext,
  { jobId, projectId }: MarkedResource,
): Promise<void> {
  const { config, owner } = context;
  if (jobId === null || !config.services.sharedFs || !owner().has('sharedFileSystem')) return;
  const { accessRules, shares } = owner().sharedFileSystem;
  const having = (metadata: Record<string, string>) =>
    shares.list({ all_tenants: 1, metadata: JSON.stringify(metadata) } satisfies ShareQuery);
  const dynamic = await having({ overlay_instance: jobId });
  if (dynamic.some(({ metadata }) => metadata.overlay_instance === jobId)) throw portStillGranted();
  const wait = removalOptions(context, 'access rule', config.timeLimits.shareSeconds);
  for (const { id: shareId } of await having({ overlay_type: 'prebuilt' })) {
    for (const rule of await accessRules.list(shareId)) {
      if (!isRuleOf(rule, projectId, jobId)) continue;
      await removeAccessRule(owner(), { shareId, ruleId: rule.id }, wait);
    }
  }
}
