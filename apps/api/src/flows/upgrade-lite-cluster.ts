import { requireNextRelease } from '@gateway/lite';
import type { RequestContext } from '../pipeline/request-context.ts';
import { startLiteClusterChange } from './change-lite-cluster.ts';

/**
 * Starts the upgrade of a cluster to a release of k3s. A cluster that has the release is left as it is.
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
    if (cluster.k3sVersion === version && !cluster.upgrade) return null;
    requireNextRelease(cluster, k3s, version);
    return { clusterId, version };
  });
}
