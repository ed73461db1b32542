/** What the programs in a cluster write on the load balancers that they create. */
interface Marked {
  name: string | null;
  description: string | null;
}

/** The cloud controller names those of services, and the ingress controller those of ingresses. */
const PREFIXES = ['kube_service_', 'kube_ingress_'];

/**
 * Whether a load balancer belongs to a service or an ingress of a cluster with this name. It is called
 * `kube_service_<cluster>_<namespace>_<service>` or `kube_ingress_<cluster>_<namespace>_<ingress>`, and its description contains
 * the name of the cluster, behind which the ingress controller later writes a version. Names of clusters may contain underscores, but
 * those of namespaces, services and ingresses do not: so the cluster `a` is never taken for `a_b`.
 *
 * Source: `GetLoadBalancerName`, `createOctaviaLoadBalancer`, `GetResourceName` and `EnsureLoadBalancer` of the OpenStack cloud
 * provider for Kubernetes.
 */
export function isServiceLoadBalancer(clusterName: string, { name, description }: Marked): boolean {
  const prefix = PREFIXES.map((kind) => `${kind}${clusterName}_`).find((one) => name?.startsWith(one));
  if (name === null || prefix === undefined) return false;
  const rest = name.slice(prefix.length).split('_');
  const isOfNamespace = rest.length === 2 && rest.every((part) => part !== '');
  return isOfNamespace && words(description ?? '').includes(clusterName);
}

function words(text: string): string[] {
  return text.split(/[^A-Za-z0-9_-]+/);
}
