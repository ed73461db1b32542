import type { NetworkRecord } from './networks.ts';

/** Why the compute service does not connect the servers of ordinary users to a network; null if it does. */
export function networkProblem({
  name,
  shared,
  subnets,
  'router:external': isExternal,
}: Pick<NetworkRecord, 'name' | 'shared' | 'subnets' | 'router:external'>): NetworkProblem | null {
  // An external network that is also shared is a provider network. Servers can use it directly.
  if (isExternal && !shared) {
    return {
      detail: `The network "${name}" is external: instances get floating IPs from it and cannot be connected to it.`,
      message: 'must not be an external network',
    };
  }
  if (subnets.length > 0) return null;
  return {
    detail: `The network "${name}" has no subnet, so it gives no addresses.`,
    message: 'must have a subnet',
  };
}

interface NetworkProblem {
  /** A sentence. */
  detail: string;
  /** Continues a sentence that starts with the field's name. */
  message: string;
}
