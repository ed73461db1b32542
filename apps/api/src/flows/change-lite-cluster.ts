import { type JobPayload, readExclusiveJob } from '@gateway/jobs';
import { type LiteCluster, liteClusterSubject } from '@gateway/lite';
import type { ApplicationCredentialLogin } from '@gateway/openstack';
import type { RequestContext } from '../pipeline/request-context.ts';
import { CLUSTER_BUSY, liteClusterActions } from '../resources/lite-cluster-actions.ts';
import { getOwnLiteCluster } from '../resources/own-lite-cluster.ts';
import { requireAction } from '../resources/require-action.ts';
import { awaitEnd } from './await-end.ts';
import { enqueueWithDelegation } from './enqueue-with-delegation.ts';
import { joinExistingJob } from './join-existing-job.ts';
import { withCredentialMaker } from './with-credential-maker.ts';

/** The jobs that change an ACTIVE cluster. */
type ChangeType = 'lite.credential' | 'lite.repair' | 'lite.scale' | 'lite.upgrade';

interface ChangeOptions {
  /** Whether the job creates an application credential of the caller. */
  createsCredential?: boolean;
}

const BUSY = `${CLUSTER_BUSY}.`;

const RULES = {
  'lite.credential': liteClusterActions.replace_credential,
  'lite.repair': liteClusterActions.repair,
  'lite.scale': liteClusterActions.scale,
  'lite.upgrade': liteClusterActions.upgrade,
} satisfies Record<ChangeType, unknown>;

/**
 * Changes an ACTIVE cluster by a job, one at a time, and waits for its end. Returns the cluster as it is
 * then.
 *
 * @param payloadFor checks the request; null if there is nothing to change
 * @throws the job's failure; 400 if the cluster is not ACTIVE; 409 if another operation is running on it; 504
 * with the id of the job if it takes longer than the time limit
 */
export async function changeLiteClusterByJob<T extends ChangeType>(
  request: RequestContext,
  clusterId: string,
  type: T,
  payloadFor: (cluster: LiteCluster) => JobPayload<T> | null,
  options: ChangeOptions = {},
): Promise<LiteCluster> {
  if (await startLiteClusterChange(request, clusterId, type, payloadFor, options)) {
    await awaitEnd(request, request.jobId, {
      timeoutSeconds: request.app.config.timeLimits.liteScaleSeconds,
      pending: () => 'The cluster is still being changed.',
    });
  }
  return getOwnLiteCluster(request, clusterId);
}

/**
 * The same without the wait. Returns false if there is nothing to change.
 *
 * @throws 400 if the cluster is not ACTIVE; 409 if another operation is running on it
 */
export async function startLiteClusterChange<T extends ChangeType>(
  request: RequestContext,
  clusterId: string,
  type: T,
  payloadFor: (cluster: LiteCluster) => JobPayload<T> | null,
  { createsCredential = false }: ChangeOptions = {},
): Promise<boolean> {
  const cluster = await getOwnLiteCluster(request, clusterId);
  if (await joinExistingJob(request)) return true;
  const running = await readExclusiveJob(request.app.redis.store, liteClusterSubject(clusterId));
  requireAction(request, RULES[type], { cluster, busyWith: running?.id ?? null });
  // Read again: an operation may have ended since the record was read.
  const current = await getOwnLiteCluster(request, clusterId);
  requireAction(request, RULES[type], { cluster: current, busyWith: null });
  const payload = payloadFor(current);
  if (payload === null) return false;
  const job = {
    type,
    payload,
    resourceId: clusterId,
    resourceName: current.name,
    exclusive: { subject: liteClusterSubject(clusterId), refusal: BUSY },
  };
  const enqueue = (maker?: ApplicationCredentialLogin) => enqueueWithDelegation(request, job, { maker });
  if (createsCredential) await withCredentialMaker(request, current, enqueue);
  else await enqueue();
  return true;
}
