/** What the programs in a cluster write on the load balancers that they create. */
interface Marked {
  name: string | null;
  description: string | null;
}

/** The cloud controller names those of services, and the ingress controller those of ingresses. */
const PREFIXES = ['kube_service_', 'kube_ingress_'];

/**
 * Whether a load balancer belongs to a service or an ingress of a cluster with this name. It is called
 * `kube_service_<cluster>_<namespace>_<service>`, and its description ends with the name of the cluster. Names of clusters may
 * contain underscores, but those of namespaces and services do not: so the cluster `a` is never taken for `a_b`.
 *
 * Source: `GetLoadBalancerName` and `createOctaviaLoadBalancer` of the OpenStack cloud provider for Kubernetes.
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
