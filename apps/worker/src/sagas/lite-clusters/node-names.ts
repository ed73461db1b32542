import { CLUSTER_METADATA_KEY, conflict } from '@gateway/core';
import { type NamedLiteCluster, nodeNamePattern } from '@gateway/lite';
import type { LiteClusterContext } from './context.ts';

/**
 * The programs of a cluster may find the servers of its nodes by name. If another server has the same name,
 * nodes without a provider id get no address.
 *
 * @throws 409 if the project has another server with one of the names
 */
export async function requireFreeNodeNames(
  { owner, projectId }: Pick<LiteClusterContext, 'owner' | 'projectId'>,
  cluster: NamedLiteCluster,
  names: readonly string[],
): Promise<void> {
  const servers = await owner().compute.servers.list({ name: nodeNamePattern(cluster) });
  const other = servers.find(
    ({ metadata, name, tenant_id }) =>
      tenant_id === projectId &&
      metadata?.[CLUSTER_METADATA_KEY] !== cluster.id &&
      names.includes(name.toLowerCase()),
  );
  if (other === undefined) return;
  throw conflict(
    'name_taken',
    `The project has an instance "${other.name}" (${other.id}), the name of a node of this cluster.`,
  );
}
