import { CLUSTER_METADATA_KEY, conflict, JOB_METADATA_KEY } from '@gateway/core';
import { type NamedLiteCluster, nodeNamePattern } from '@gateway/lite';
import type { ServerRecord } from '@gateway/openstack';
import type { LiteClusterContext } from './context.ts';

type NodeServersContext = Pick<LiteClusterContext, 'owner' | 'projectId'>;

/**
 * The programs of a cluster may find the servers of its nodes by name. If another server has the same name,
 * nodes without a provider id get no address.
 *
 * @throws 409 if the project has another server with one of the names
 */
export async function requireFreeNodeNames(
  context: NodeServersContext,
  cluster: NamedLiteCluster,
  names: readonly string[],
): Promise<void> {
  const servers = await listNodeServers(context, cluster);
  const other = servers.find(
    (server) => !isMachineOf(cluster, server) && names.includes(server.name.toLowerCase()),
  );
  if (other === undefined) return;
  throw conflict(
    'name_taken',
    `The project has an instance "${other.name}" (${other.id}), the name of a node of this cluster.`,
  );
}

/**
 * The names of the cluster's machines in the compute service that are not of this job. The record may lack
 * some: it is older than they are, in a store that was set back, or they have not been removed yet. A job of
 * such a store plans again, and needs the same names to find the machines that it has made.
 */
export async function namesOfOtherMachines(
  context: NodeServersContext & Pick<LiteClusterContext, 'jobId'>,
  cluster: NamedLiteCluster,
): Promise<Set<string>> {
  const servers = await listNodeServers(context, cluster);
  const others = servers.filter(
    (server) => isMachineOf(cluster, server) && server.metadata?.[JOB_METADATA_KEY] !== context.jobId,
  );
  return new Set(others.map(({ name }) => name.toLowerCase()));
}

async function listNodeServers(
  { owner, projectId }: NodeServersContext,
  cluster: NamedLiteCluster,
): Promise<ServerRecord[]> {
  const servers = await owner().compute.servers.list({ name: nodeNamePattern(cluster) });
  return servers.filter(({ tenant_id }) => tenant_id === projectId);
}

function isMachineOf({ id }: NamedLiteCluster, { metadata }: ServerRecord): boolean {
  return metadata?.[CLUSTER_METADATA_KEY] === id;
}
