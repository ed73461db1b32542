import { requireRelease } from '@gateway/lite';
import type { RequestContext } from '../pipeline/request-context.ts';
import { startLiteClusterChange } from './change-lite-cluster.ts';

/**
 * Starts the upgrade of a cluster to a release of k3s, which may be the one that it has.
 *
 * @throws 400 if the cluster is not ACTIVE or cannot be upgraded to the release; 409 if another operation is
 * running on it
 */
export async function startLiteClusterUpgrade(
  request: RequestContext,
  clusterId: string,
  version: string,
): Promise<void> {
  const { k3s } = request.app.config.lite;
  await startLiteClusterChange(request, clusterId, 'lite.upgrade', (cluster) => {
    requireRelease(cluster, k3s, version);
    return { clusterId, version };
  });
}
