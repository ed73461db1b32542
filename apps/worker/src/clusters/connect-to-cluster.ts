import { KubernetesApi } from '@gateway/kubernetes';
import { type Cluster, type ClusterStore, type Kubeconfig, parseKubeconfig } from '@gateway/lite';
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
  const kubeconfig = await readKubeconfig(clusters, cluster);
  if (kubeconfig === null || cluster.serverIp === null) return null;
  // The stored file names the address that the gateway has chosen.
  const { server, credentials } = kubeconfig;
  const requestTimeoutMs = config.lite.health.requestSeconds * 1000;
  const { neverContacted } = config.lite;
  return new KubernetesApi({ server, credentials, requestTimeoutMs, neverContacted, signal });
}

/** The configuration file of a cluster; null when it has none. */
export async function readKubeconfig(clusters: ClusterStore, cluster: Cluster): Promise<Kubeconfig | null> {
  const text = await clusters.readSecret(cluster, 'kubeconfig');
  return text === null ? null : parseKubeconfig(text);
}
