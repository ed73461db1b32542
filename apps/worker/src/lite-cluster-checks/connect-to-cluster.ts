import {
  type Kubeconfig,
  KubernetesApi,
  type LiteCluster,
  type LiteClusterStore,
  parseKubeconfig,
} from '@gateway/lite';
import type { WorkerContext } from '../context.ts';

/**
 * The API server of a cluster, with the cluster's own credentials; null when its address or its credentials
 * are not known. Close it after use.
 */
export async function connectToCluster(
  { liteClusters, config }: Pick<WorkerContext, 'liteClusters' | 'config'>,
  cluster: LiteCluster,
  signal?: AbortSignal,
): Promise<KubernetesApi | null> {
  const kubeconfig = await readKubeconfig(liteClusters, cluster);
  if (kubeconfig === null || cluster.serverIp === null) return null;
  // The stored file names the address that the gateway has chosen.
  const { server, credentials } = kubeconfig;
  const requestTimeoutMs = config.lite.health.requestSeconds * 1000;
  const { neverContacted } = config.lite;
  return new KubernetesApi({ server, credentials, requestTimeoutMs, neverContacted, signal });
}

/** The configuration file of a cluster; null when it has none. */
export async function readKubeconfig(
  clusters: LiteClusterStore,
  cluster: LiteCluster,
): Promise<Kubeconfig | null> {
  const text = await clusters.readSecret(cluster, 'kubeconfig');
  return text === null ? null : parseKubeconfig(text);
}
