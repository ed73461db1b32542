import { KubernetesApi } from '@gateway/kubernetes';
import { type Cluster, parseKubeconfig } from '@gateway/lite';
import type { WorkerContext } from '../context.ts';

/**
 * The API server of a cluster, with the cluster's own credentials; null when its address or its credentials are not known.
 * Close it after use.
 */
export async function connectToCluster(
  { clusters, config }: Pick<WorkerContext, 'clusters' | 'config'>,
  cluster: Cluster,
  signal?: AbortSignal,
): Promise<KubernetesApi | null> {
  const kubeconfig = await clusters.readSecret(cluster, 'kubeconfig');
  if (kubeconfig === null || cluster.serverIp === null) return null;
  // The stored file names the address that the gateway has chosen.
  const { server, credentials } = parseKubeconfig(kubeconfig);
  const requestTimeoutMs = config.lite.health.requestSeconds * 1000;
  return new KubernetesApi({ server, credentials, requestTimeoutMs, signal });
}
