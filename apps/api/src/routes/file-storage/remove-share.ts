import { conflict, isId, JOB_METADATA_KEY } from '@gateway/core';
import { hasEnded, readExclusiveJob, readJob } from '@gateway/jobs';
import { isGatewayRule, parseOverlayMetadata } from '@gateway/libraries';
import { isConflict, requireWholeServer, type ShareRecord } from '@gateway/openstack';
import { fileStorageActions } from '@gateway/resources';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { requireAction, requirePermission } from '../../resources/require-action.ts';
import { verificationSubject } from '../../resources/verification-subject.ts';
import type { FoundShare } from './find-share.ts';

/**
 * Deletes a share with the caller's own rights.
 *
 * @throws 409 while an instance or a verification uses the share, and if its state or its snapshots do not
 * allow the deletion
 */
export async function removeShare(request: RequestContext, { share, client }: FoundShare): Promise<void> {
  requirePermission(request, fileStorageActions.delete, share);
  if (await isUsedByJob(request, share)) {
    throw conflict('busy', 'The file storage is being prepared by a job. Cancel the job instead.');
  }
  const verification = await readExclusiveJob(request.app.redis.store, verificationSubject(share.id));
  if (verification !== null) {
    throw conflict('busy', 'The file storage is being verified.', { jobId: verification.id });
  }
  const [rules, isLayer] = await Promise.all([
    client.sharedFileSystem.accessRules.list(share.id),
    isLayerInProject(request, share),
  ]);
  if (isLayer || rules.some(isGatewayRule)) {
    throw conflict('in_use', 'The file storage is in use by an instance as a layer.');
  }
  requireAction(request, fileStorageActions.delete, share);
  try {
    await request.openstack.sharedFileSystem.shares.remove(share.id);
  } catch (error) {
    if (!isConflict(error)) throw error;
    const current = await client.sharedFileSystem.shares.get(share.id);
    requireAction(request, fileStorageActions.delete, current);
    throw conflict(
      'not_empty',
      `The file storage is ${current.status}, but it has snapshots or replicas, which must be deleted first.`,
      { cause: error },
    );
  }
}

/** While an instance or a library is being created, its share may not have an access rule yet. */
async function isUsedByJob({ app }: RequestContext, { metadata }: ShareRecord): Promise<boolean> {
  for (const jobId of [metadata?.overlay_instance, metadata?.[JOB_METADATA_KEY]]) {
    if (jobId === undefined || !isId(jobId)) continue;
    const job = await readJob(app.redis.store, jobId);
    if (job !== null && !hasEnded(job)) return true;
  }
  return false;
}

/**
 * Each layer has an access rule of its instance. The metadata of the servers shows the layers even if another
 * client has removed the rule.
 */
async function isLayerInProject({ openstack }: RequestContext, share: ShareRecord): Promise<boolean> {
  if (share.metadata !== null && share.metadata.overlay_type === undefined) return false;
  const servers = await openstack.compute.servers.list();
  for (const server of servers) requireWholeServer(server);
  return servers.some(({ metadata }) => parseOverlayMetadata(metadata ?? {}).shareIds.includes(share.id));
}
