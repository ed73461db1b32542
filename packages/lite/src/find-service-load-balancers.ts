import { conflict, GatewayError } from '@gateway/core';
import { type BoundClient, type LoadBalancerRecord, UpstreamError } from '@gateway/openstack';
import type { LiteCluster } from './cluster.ts';
import type { PluginKey } from './plugin-keys.ts';
import { isServiceLoadBalancer } from './service-load-balancers.ts';

/** The plugins that create load balancers. */
const CREATORS: readonly PluginKey[] = ['cloud_controller', 'lb_ingress'];

interface Search {
  client: Pick<BoundClient, 'loadBalancer'>;
  projectId: string;
  cluster: Pick<LiteCluster, 'name' | 'plugins'>;
}

/**
 * The load balancers of the project with the cluster in their name, as its programs create them, whatever the
 * network of their address. None without a plugin that creates any, and in a cloud without load balancers.
 */
export async function findServiceLoadBalancers({
  client,
  projectId,
  cluster: { name, plugins },
}: Search): Promise<LoadBalancerRecord[]> {
  if (!plugins.some((key) => CREATORS.includes(key))) return [];
  try {
    const balancers = await client.loadBalancer.loadBalancers.list({ project_id: projectId });
    return balancers.filter(
      (balancer) => balancer.project_id === projectId && isServiceLoadBalancer(name, balancer.name),
    );
  } catch (error) {
    // The cloud has no such service.
    const isMissing = error instanceof GatewayError && !(error instanceof UpstreamError);
    if (isMissing && error.code === 'upstream_unavailable') return [];
    throw error;
  }
}

/**
 * For a new cluster. Another Kubernetes cluster of the project may have its name: the programs of the two
 * would change each other's load balancers. A user without the right to list load balancers is not refused.
 *
 * @throws 409 if the project has load balancers of such a cluster
 */
export async function requireFreeBalancerNames(search: Search): Promise<void> {
  const [other] = await findServiceLoadBalancers(search).catch((error: unknown) => {
    if (error instanceof UpstreamError && error.upstreamStatus === 403) return [];
    throw error;
  });
  if (other === undefined) return;
  const { name } = search.cluster;
  throw conflict(
    'name_taken',
    `The project has a load balancer "${other.name}" (${other.id}) of another Kubernetes cluster that is named "${name}".`,
    { params: { name } },
  );
}
