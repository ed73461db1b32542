import { JOB_METADATA_KEY } from '@gateway/core';
import type { RemovalOptions } from '@gateway/inventory';
import type { ManagedClusterCreation } from '@gateway/jobs';
import {
  type BoundClient,
  type ClusterCreate,
  type ClusterRecord,
  explainMissingInCluster,
  FailedStateError,
  knownMarks,
  nullIfNotFound,
  waitFor,
  waitForGone,
} from '@gateway/openstack';
import { parkingLater, removalOptions, waitOptions } from '../resources/wait-options.ts';
import { type CreationStep, plannedCreation } from './saga.ts';

const created = plannedCreation<ManagedClusterCreation, ClusterCreate>('The cluster is being created.');

/**
 * Creates a managed cluster and waits until it is complete; the rollback deletes it. The service acts for the
 * user who creates the cluster, through a trust that it makes with the token of the request. The identity
 * service refuses that to a delegation, so the creation uses the user's own token.
 */
export const managedClusterStep: CreationStep<ManagedClusterCreation, ClusterCreate> = {
  ...created,
  async run(context) {
    const { clusters } = context.undelegatedOwner().containerInfra;
    try {
      return { resourceId: await clusters.create(created.request(context)) };
    } catch (error) {
      throw explainMissingInCluster(error);
    }
  },
  async find(context) {
    const { remover } = await context.resourceOwner.removal();
    const { jobId, projectId } = await context.resourceOwner.mark();
    const isMade = ({ labels, project_id, uuid }: ClusterRecord) =>
      project_id === projectId &&
      knownMarks('containerInfra', { id: uuid, metadata: labels })[JOB_METADATA_KEY] === jobId;
    const found = (await remover().containerInfra.clusters.list()).filter(isMade);
    return found.toSorted(bestFirst).map(({ uuid }) => ({ resourceId: uuid }));
  },
  async settle(context, { resourceId = '' }) {
    const { containerInfra } = await context.resourceOwner.client();
    const wait = waitOptions(parkingLater(context), 'cluster', {
      describe: 'The cluster',
      seconds: context.config.timeLimits.managedClusterSeconds,
    });
    await waitFor(async () => isComplete(await containerInfra.clusters.get(resourceId)), wait);
    return undefined;
  },
  async undo(context, { resourceId = '' }) {
    const { remover } = await context.resourceOwner.removal();
    const seconds = context.config.timeLimits.managedClusterSeconds;
    await removeCluster(remover(), resourceId, removalOptions(context, 'cluster', seconds));
  },
  leftover: ({ resourceId = '' }) => ({ type: 'cluster', id: resourceId }),
};

function isComplete({ status, status_reason }: ClusterRecord): true | undefined {
  if (/^(CREATE|UPDATE)_COMPLETE$/.test(status)) return true;
  if (/FAILED$|^DELETE/.test(status)) {
    throw new FailedStateError(
      `The cluster reached the state ${status}${status_reason ? `: ${status_reason}` : '.'}`,
      status,
    );
  }
  return undefined;
}

async function removeCluster(
  { containerInfra }: BoundClient,
  id: string,
  options: RemovalOptions,
): Promise<void> {
  const { clusters } = containerInfra;
  const cluster = await nullIfNotFound(clusters.get(id));
  if (cluster === null) return;
  if (cluster.status !== 'DELETE_IN_PROGRESS') await nullIfNotFound(clusters.remove(id));
  await waitForGone(
    () => clusters.get(id),
    ({ status }) => status,
    { ...options, describe: 'The cluster', failedStates: ['DELETE_FAILED'] },
  );
}

function bestFirst(a: ClusterRecord, b: ClusterRecord): number {
  const rank = ({ status }: ClusterRecord) => (/FAILED$/.test(status) ? 1 : 0);
  return rank(a) - rank(b) || (a.created_at ?? '').localeCompare(b.created_at ?? '');
}
