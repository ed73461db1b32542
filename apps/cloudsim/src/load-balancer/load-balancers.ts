import { type JsonObject, stringAt } from '../common/json.ts';
import { badRequest, conflict } from '../common/service-error.ts';
import type { Caller } from '../http/operation.ts';
import { createPort, removePort } from '../network/ports.ts';
import type { Subnet } from '../network/state.ts';
import { canSeeSubnet } from '../network/subnets.ts';
import { beginUpdate, finishLbChange, requireMutable } from './changes.ts';
import type { LoadBalancerCloud } from './cloud.ts';
import { requireQuota } from './quotas.ts';
import { find, invalid, newRecord, presentRecord } from './records.ts';
import type { LoadBalancer } from './state.ts';

const CREATE_MS = 300;
const DELETE_MS = 300;

export function findLoadBalancer(cloud: LoadBalancerCloud, caller: Caller, id: string): LoadBalancer {
  return find(caller, cloud.loadBalancer.loadBalancers, 'Load Balancer', id);
}

/**
 * @throws 400 for a subnet that does not exist, or that the caller cannot see
 */
export function visibleSubnet(
  cloud: LoadBalancerCloud,
  caller: Caller,
  input: JsonObject,
  key: string,
): Subnet {
  const id = stringAt(input, key) ?? '';
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))
    throw invalid(input, key, 'Value should be UUID format');
  const subnet = cloud.network.subnets.get(id);
  if (subnet === undefined || !canSeeSubnet(cloud, caller, subnet))
    throw badRequest(`Subnet ${id} not found.`, 'Client');
  return subnet;
}

export function createLoadBalancer(
  cloud: LoadBalancerCloud,
  caller: Caller,
  input: JsonObject,
): LoadBalancer {
  if (input.vip_subnet_id === undefined)
    throw badRequest(
      'Validation failure: VIP must contain one of: vip_port_id, vip_network_id, vip_subnet_id.',
      'Client',
    );
  const subnet = visibleSubnet(cloud, caller, input, 'vip_subnet_id');
  requireQuota(cloud.loadBalancer, 'load_balancer', caller.projectId);
  const record = newRecord(cloud, caller, input);
  const port = createPort(cloud, caller, {
    network_id: subnet.network_id,
    name: `octavia-lb-${record.id}`,
    device_id: `lb-${record.id}`,
    device_owner: 'Octavia',
    fixed_ips: [{ subnet_id: subnet.id }],
  });
  const balancer: LoadBalancer = {
    ...record,
    description: stringAt(input, 'description') ?? '',
    address: port.fixed_ips[0]?.ip_address ?? '',
    subnetId: subnet.id,
    networkId: subnet.network_id,
    portId: port.id,
  };
  cloud.loadBalancer.loadBalancers.set(balancer.id, balancer);
  cloud.schedule.after(CREATE_MS, finishLbChange, balancer.id, []);
  return balancer;
}

export function updateLoadBalancer(
  cloud: LoadBalancerCloud,
  caller: Caller,
  id: string,
  input: JsonObject,
): LoadBalancer {
  const balancer = findLoadBalancer(cloud, caller, id);
  requireMutable(balancer);
  balancer.name = stringAt(input, 'name') ?? balancer.name;
  balancer.description = stringAt(input, 'description') ?? balancer.description;
  return beginUpdate(cloud, balancer, balancer);
}

export function deleteLoadBalancer(
  cloud: LoadBalancerCloud,
  caller: Caller,
  id: string,
  cascade: boolean,
): void {
  const balancer = findLoadBalancer(cloud, caller, id);
  const children = childrenOf(cloud, id);
  if (children.length > 0 && !cascade)
    throw badRequest(`Validation failure: Cannot delete Load Balancer ${id} - it has children`, 'Client');
  if (balancer.status !== 'ACTIVE' && balancer.status !== 'ERROR')
    throw conflict(`Invalid state ${balancer.status} of loadbalancer resource ${id}`);
  for (const record of [balancer, ...children]) record.status = 'PENDING_DELETE';
  cloud.schedule.after(DELETE_MS, finishLoadBalancerRemoval, id);
}

/** Task of the schedule: removes the load balancer, the records below it, and its port. */
export function finishLoadBalancerRemoval(cloud: LoadBalancerCloud, id: string): void {
  const { loadBalancers, listeners, pools, members, monitors } = cloud.loadBalancer;
  const balancer = loadBalancers.get(id);
  if (balancer === undefined) return;
  const poolIds = [...pools.values()].filter((pool) => pool.loadBalancerId === id).map((pool) => pool.id);
  for (const records of [members, monitors]) {
    for (const record of records.values()) if (poolIds.includes(record.poolId)) records.delete(record.id);
  }
  for (const poolId of poolIds) pools.delete(poolId);
  for (const { id: listenerId, loadBalancerId } of listeners.values()) {
    if (loadBalancerId === id) listeners.delete(listenerId);
  }
  loadBalancers.delete(id);
  const port = cloud.network.ports.get(balancer.portId);
  if (port !== undefined) removePort(cloud, port);
}

function childrenOf({ loadBalancer }: LoadBalancerCloud, id: string) {
  return [...loadBalancer.listeners.values(), ...loadBalancer.pools.values()].filter(
    ({ loadBalancerId }) => loadBalancerId === id,
  );
}

export function presentLoadBalancer(cloud: LoadBalancerCloud, balancer: LoadBalancer): object {
  const children = (records: Iterable<{ id: string; loadBalancerId: string }>) =>
    [...records].filter(({ loadBalancerId }) => loadBalancerId === balancer.id).map(({ id }) => ({ id }));
  return {
    ...presentRecord(balancer),
    description: balancer.description,
    vip_address: balancer.address,
    vip_port_id: balancer.portId,
    vip_subnet_id: balancer.subnetId,
    vip_network_id: balancer.networkId,
    additional_vips: [],
    listeners: children(cloud.loadBalancer.listeners.values()),
    pools: children(cloud.loadBalancer.pools.values()),
    provider: 'amphora',
    flavor_id: null,
    vip_qos_policy_id: null,
    availability_zone: null,
  };
}
