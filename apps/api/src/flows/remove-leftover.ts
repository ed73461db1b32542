import { notFound } from '@gateway/core';
import { inspectLeftover, type LeftoverType, requireLeftover } from '@gateway/inventory';
import { ownerReaders } from '@gateway/lite';
import type { RequestContext } from '../pipeline/request-context.ts';
import { enqueueWithDelegation } from './enqueue-with-delegation.ts';
import { joinExistingJob } from './join-existing-job.ts';

interface LeftoverToRemove {
  type: LeftoverType;
  id: string;
  force: boolean;
}

/**
 * Enqueues a job that removes one leftover of any project. The job checks the resource again before it
 * removes it.
 */
export async function removeLeftover(
  request: RequestContext,
  { force, id, type }: LeftoverToRemove,
): Promise<void> {
  const { app, openstack } = request;
  if (await joinExistingJob(request)) return;
  const { liteClusters, config, redis } = app;
  const owners = ownerReaders(redis.store, liteClusters);
  const found = await inspectLeftover({ openstack, config, owners }, type, id);
  if (found === null) throw notFound('There is no such resource.');
  requireLeftover(found, force);
  await enqueueWithDelegation(
    request,
    {
      type: 'leftover.remove',
      payload: { resourceType: type, resourceId: id, resourceProjectId: found.resource.projectId, force },
      resourceId: id,
      resourceType: type,
      exclusive: { subject: `leftover:${type}:${id}`, refusal: 'The resource is being removed already.' },
    },
    { asAdministrator: true },
  );
}
