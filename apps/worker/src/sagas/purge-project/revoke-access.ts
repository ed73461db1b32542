import { conflict, isId, JOB_METADATA_KEY } from '@gateway/core';
import { removeAccessRule } from '@gateway/inventory';
import { isRuleOf } from '@gateway/libraries';
import { knownMarks, nullIfNotFound, type ShareQuery } from '@gateway/openstack';
import { removeGroups } from '../resources/remove-groups.ts';
import type { ShareAccess } from '../resources/share-access-step.ts';
import { parking, removalOptions } from '../resources/wait-options.ts';
import { AT_A_TIME, inParts } from './remove-type.ts';
import { definePurgeStep, type PurgeStepContext, plannedOf } from './saga.ts';

/**
 * Revokes the access of the removed instances to prebuilt shares, which belong to another project. This comes
 * before the ports, whose addresses other instances get then. Nothing else removes these rules later.
 */
export const revokeAccess = definePurgeStep<Record<never, never>>({
  name: 'revoke-access',
  when: ({ input }) => input.types.includes('file_storage'),
  onRepeat: 'idempotent',
  async run(context) {
    const { shareSeconds, undoSeconds } = context.config.timeLimits;
    const factor = Math.max(1, Math.ceil(plannedOf(context.state, 'instance').length / AT_A_TIME));
    const step = parking(context);
    const removals = (await findAccesses(context)).map((access) => ({
      type: 'access_rule',
      id: access.ruleId,
      remove: () =>
        removeAccessRule(context.owner(), access, removalOptions(step, 'access_rule', shareSeconds * factor)),
    }));
    const [refused] = await removeGroups(step, inParts(removals), undoSeconds * 1000 * factor);
    if (refused !== undefined)
      throw conflict('incomplete', `Access to a library could not be revoked: ${refused.reason}`);
    return {};
  },
});

/** The rules of the instances, without those of open jobs and of instances that the purge leaves. */
async function findAccesses({ hasJobEnded, input, owner }: PurgeStepContext): Promise<ShareAccess[]> {
  const { compute, sharedFileSystem } = owner();
  const { purgedProjectId: projectId } = input;
  const query: ShareQuery = { all_tenants: 1, metadata: JSON.stringify({ overlay_type: 'prebuilt' }) };
  const found: (ShareAccess & { jobId: string })[] = [];
  for (const { id: shareId } of await sharedFileSystem.shares.list(query)) {
    const rules = (await nullIfNotFound(sharedFileSystem.accessRules.list(shareId))) ?? [];
    for (const rule of rules) {
      const marks = knownMarks('sharedFileSystem', rule);
      const jobId = marks.gateway_job_id;
      if (jobId === undefined || !isId(jobId) || !isRuleOf(marks, projectId, jobId)) continue;
      if (await hasJobEnded(jobId)) found.push({ shareId, ruleId: rule.id, jobId });
    }
  }
  if (found.length === 0) return [];
  // Read last: the server of a job that has ended is in the list.
  const left = await compute.servers.list({ all_tenants: 1, project_id: projectId });
  const kept = left.map((server) => knownMarks('compute', server)[JOB_METADATA_KEY]);
  return found.filter(({ jobId }) => !kept.includes(jobId));
}
