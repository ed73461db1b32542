import { newRequestId } from '@gateway/core';
import { type IdentityClient, nullIfNotFound, UpstreamError } from '@gateway/openstack';
import type { WorkerContext } from '../context.ts';

/** So that a server of the identity service that learns late of a new project removes nothing. */
const MIN_AGE_MS = 86_400_000;

/**
 * Removes the webhooks of projects that were deleted past the gateway, or while the store was unavailable.
 * Nobody could delete these. Asks for each project by its id: a list may be empty or lack the projects of a
 * domain, whose ids the identity service answers with 403. Without a service user who is an administrator,
 * nothing is removed.
 */
export async function removeWebhooksOfDeletedProjects(worker: WorkerContext): Promise<void> {
  const { config, logger, nearlyFullQuotas, serviceAccount, stopping, webhooks } = worker;
  const projectIds = await webhooks.projectIds(Date.now() - MIN_AGE_MS);
  if (projectIds.size === 0) return;
  const call = { requestId: newRequestId() };
  const caller = await serviceAccount.identity(call);
  if (!caller?.roles.includes(config.identity.adminRole)) return;
  const openstack = await serviceAccount.bind(call);
  if (openstack === null) return;
  for (const projectId of projectIds) {
    if (stopping.signal.aborted) return;
    if (!(await isDeleted(openstack.identity, projectId))) continue;
    await webhooks.removeOfProject(projectId);
    await nearlyFullQuotas.removeOfProject(projectId);
    logger.warn('The webhooks of a project that was deleted are removed', { project_id: projectId });
  }
}

async function isDeleted({ projects }: IdentityClient, projectId: string): Promise<boolean> {
  try {
    return (await nullIfNotFound(projects.get(projectId))) === null;
  } catch (error) {
    if (error instanceof UpstreamError && error.status === 403) return false;
    throw error;
  }
}
