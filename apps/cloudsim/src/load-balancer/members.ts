import { isIP } from 'node:net';
import { type JsonObject, stringAt } from '../common/json.ts';
import { conflict } from '../common/service-error.ts';
import type { Caller } from '../http/operation.ts';
import { beginCreate, beginRemoval, beginUpdate, requireMutable } from './changes.ts';
import type { LoadBalancerCloud } from './cloud.ts';
import { PORTS } from './listeners.ts';
import { visibleSubnet } from './load-balancers.ts';
import { balancerOf, findPool, listenersOf } from './pools.ts';
import { requireQuota } from './quotas.ts';
import { find, invalid, newRecord, presentRecord, requireInteger } from './records.ts';
import type { Member } from './state.ts';

const WEIGHTS = [0, 256] as const;

export function findMember(cloud: LoadBalancerCloud, caller: Caller, poolId: string, id: string): Member {
  const pool = findPool(cloud, caller, poolId);
  const below = [...cloud.loadBalancer.members].filter(([, member]) => member.poolId === pool.id);
  return find(caller, new Map(below), 'Member', id);
}

export function createMember(
  cloud: LoadBalancerCloud,
  caller: Caller,
  poolId: string,
  input: JsonObject,
): Member {
  const address = stringAt(input, 'address') ?? '';
  if (isIP(address) === 0) throw invalid(input, 'address', 'Value should be IPv4 or IPv6 format');
  const port = requireInteger(input, 'protocol_port', PORTS);
  const weight = requireInteger(input, 'weight', WEIGHTS, 1);
  const pool = findPool(cloud, caller, poolId);
  const subnetId = input.subnet_id === undefined ? null : visibleSubnet(cloud, caller, input, 'subnet_id').id;
  const { members } = cloud.loadBalancer;
  for (const other of members.values()) {
    if (other.poolId === pool.id && other.address === address && other.port === port)
      throw conflict(`Another member on this pool is already using ip ${address} on protocol_port ${port}`);
  }
  requireQuota(cloud.loadBalancer, 'member', caller.projectId);
  const balancer = balancerOf(cloud, caller, pool);
  requireMutable(balancer, pool);
  const record = { ...newRecord(cloud, caller, input), operatingStatus: 'NO_MONITOR' };
  const member: Member = { ...record, poolId: pool.id, address, port, weight, subnetId };
  return beginCreate(cloud, balancer, members, member, [pool, ...listenersOf(cloud, pool)]);
}

export function updateMember(
  cloud: LoadBalancerCloud,
  caller: Caller,
  poolId: string,
  id: string,
  input: JsonObject,
): Member {
  const pool = findPool(cloud, caller, poolId);
  const member = findMember(cloud, caller, poolId, id);
  const weight = requireInteger(input, 'weight', WEIGHTS, member.weight);
  const balancer = balancerOf(cloud, caller, pool);
  requireMutable(balancer, pool);
  member.name = stringAt(input, 'name') ?? member.name;
  member.weight = weight;
  return beginUpdate(cloud, balancer, member, [pool, ...listenersOf(cloud, pool)]);
}

export function deleteMember(cloud: LoadBalancerCloud, caller: Caller, poolId: string, id: string): void {
  const pool = findPool(cloud, caller, poolId);
  const member = findMember(cloud, caller, poolId, id);
  const balancer = balancerOf(cloud, caller, pool);
  requireMutable(balancer, pool);
  beginRemoval(cloud, balancer, member, [pool, ...listenersOf(cloud, pool)]);
}

export function presentMember(member: Member): object {
  return {
    ...presentRecord(member),
    address: member.address,
    protocol_port: member.port,
    weight: member.weight,
    backup: false,
    subnet_id: member.subnetId,
    monitor_address: null,
    monitor_port: null,
  };
}
