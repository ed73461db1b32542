/** The prefixes of the cloud controller for services, and of the ingress controller for ingresses. */
const PREFIXES = ['kube_service_', 'kube_ingress_'];

/**
 * Whether a load balancer of this name belongs to a service or an ingress of a cluster:
 * `kube_service_<cluster>_<namespace>_<service>` or `kube_ingress_<cluster>_<namespace>_<ingress>`. Names of
 * clusters may contain underscores, but those of namespaces, services and ingresses do not, so the cluster
 * `a` is never confused with `a_b`.
 *
 * Source: `GetLoadBalancerName` and `GetResourceName` of the OpenStack cloud provider for Kubernetes.
 */
export function isServiceLoadBalancer(clusterName: string, name: string): boolean {
  const prefix = PREFIXES.map((kind) => `${kind}${clusterName}_`).find((one) => name.startsWith(one));
  if (prefix === undefined) return false;
  const rest = name.slice(prefix.length).split('_');
  return rest.length === 2 && rest.every((part) => part !== '');
}

const MADE_FOR = /^Floating IP for Kubernetes (?:external service|ingress) /;

/**
 * Whether the programs in a cluster created a floating IP with this description. They also associate existing
 * floating IPs of users, and keep their descriptions.
 *
 * Source: `ensureFloatingIP` and `ensureIngress` of the same.
 */
export function isServiceFloatingIp(clusterName: string, description: string): boolean {
  return MADE_FOR.test(description) && description.endsWith(` from cluster ${clusterName}`);
}
