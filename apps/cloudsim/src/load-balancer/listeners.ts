import { type JsonObject, stringAt } from '../common/json.ts';
import { badRequest, conflict } from '../common/service-error.ts';
import type { Caller } from '../http/operation.ts';
import { beginCreate, beginRemoval, beginUpdate, requireMutable } from './changes.ts';
import type { LoadBalancerCloud } from './cloud.ts';
import { findLoadBalancer } from './load-balancers.ts';
import { requireQuota } from './quotas.ts';
import { find, newRecord, presentRecord, requireInteger, requireWord } from './records.ts';
import type { Listener } from './state.ts';

const TERMINATED = 'TERMINATED_HTTPS';
const PROTOCOLS = [TERMINATED, 'TCP', 'PROMETHEUS', 'HTTP', 'UDP', 'SCTP', 'HTTPS'];
export const PORTS = [1, 65_535] as const;

export function findListener(cloud: LoadBalancerCloud, caller: Caller, id: string): Listener {
  return find(caller, cloud.loadBalancer.listeners, 'Listener', id);
}

export function createListener(cloud: LoadBalancerCloud, caller: Caller, input: JsonObject): Listener {
  const { listeners, pools } = cloud.loadBalancer;
  const protocol = requireWord(input, 'protocol', PROTOCOLS);
  const port = requireInteger(input, 'protocol_port', PORTS);
  const balancer = findLoadBalancer(cloud, caller, stringAt(input, 'loadbalancer_id') ?? '');
  const defaultPoolId = stringAt(input, 'default_pool_id') ?? null;
  const pool = defaultPoolId === null ? undefined : find(caller, pools, 'Pool', defaultPoolId);
  const certificateRef = certificateIn(cloud, caller, input, protocol);
  if (protocol === TERMINATED && certificateRef === null)
    throw invalidReference(
      `An SNI or default certificate container reference must be provided for ${TERMINATED} protocol listeners.`,
    );
  requireQuota(cloud.loadBalancer, 'listener', caller.projectId);
  for (const other of listeners.values()) {
    if (other.loadBalancerId === balancer.id && other.protocol === protocol && other.port === port)
      throw conflict(
        `Another Listener on this Load Balancer is already using protocol ${protocol} and protocol_port ${port}`,
      );
  }
  requireMutable(balancer);
  const listener: Listener = {
    ...newRecord(cloud, caller, input),
    loadBalancerId: balancer.id,
    protocol,
    port,
    defaultPoolId,
    certificateRef,
  };
  return beginCreate(cloud, balancer, listeners, listener, [pool]);
}

export function updateListener(
  cloud: LoadBalancerCloud,
  caller: Caller,
  id: string,
  input: JsonObject,
): Listener {
  const listener = findListener(cloud, caller, id);
  const balancer = findLoadBalancer(cloud, caller, listener.loadBalancerId);
  const poolId = stringAt(input, 'default_pool_id');
  const pool = poolId === undefined ? undefined : find(caller, cloud.loadBalancer.pools, 'Pool', poolId);
  const certificateRef = certificateIn(cloud, caller, input, listener.protocol) ?? listener.certificateRef;
  requireMutable(balancer);
  listener.name = stringAt(input, 'name') ?? listener.name;
  if (input.default_pool_id !== undefined) listener.defaultPoolId = poolId ?? null;
  listener.certificateRef = certificateRef;
  return beginUpdate(cloud, balancer, listener, [pool]);
}

/** The service reads the certificate as the caller. Secrets of other projects cannot be read. */
function certificateIn(
  { keyManager }: LoadBalancerCloud,
  caller: Caller,
  input: JsonObject,
  protocol: string,
): string | null {
  const ref = stringAt(input, 'default_tls_container_ref');
  if (ref === undefined) return null;
  if (protocol !== TERMINATED)
    throw invalidReference(
      `Certificate container references are only allowed on ${TERMINATED} protocol listeners.`,
    );
  const secret = keyManager.secrets.get(ref.slice(ref.lastIndexOf('/') + 1));
  if (secret?.projectId !== caller.projectId)
    throw badRequest(`Could not retrieve certificate: ['${ref}']`, 'Client');
  return ref;
}

function invalidReference(reason: string): Error {
  return badRequest(`Validation failure: ${reason}`, 'Client');
}

export function deleteListener(cloud: LoadBalancerCloud, caller: Caller, id: string): void {
  const listener = findListener(cloud, caller, id);
  const balancer = findLoadBalancer(cloud, caller, listener.loadBalancerId);
  requireMutable(balancer);
  beginRemoval(cloud, balancer, listener);
}

export function presentListener(listener: Listener): object {
  return {
    ...presentRecord(listener),
    description: '',
    protocol: listener.protocol,
    protocol_port: listener.port,
    connection_limit: -1,
    default_pool_id: listener.defaultPoolId,
    default_tls_container_ref: listener.certificateRef,
    sni_container_refs: [],
    allowed_cidrs: null,
    loadbalancers: [{ id: listener.loadBalancerId }],
    l7policies: [],
    insert_headers: {},
  };
}
