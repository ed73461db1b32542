import type { Cluster } from '@gateway/lite';
import type { ClusterContext } from './context.ts';

/** The first-boot data of a worker, encoded. Contains the join token, so it must not be stored. */
export async function workerUserData(
  { clusters }: ClusterContext,
  cluster: Cluster,
  nodeName: string,
): Promise<string> {
  const token = await clusters.readSecret(cluster, 'nodeToken');
  if (token === null) throw new Error(`Cluster ${cluster.id} has no join token.`);
  return Buffer.from(
    JSON.stringify({ nodeName, serverUrl: `https://${cluster.fixedIp}:6443`, token }),
  ).toString('base64');
}
