import { notFound } from '@gateway/core';
import {
  type ListenerRecord,
  type LoadBalancerRecord,
  type PoolRecord,
  UpstreamError,
} from '@gateway/openstack';
import { noSuch, ofOwnProject, type ProjectReader } from '../../resources/own-records.ts';

type Child = ListenerRecord | PoolRecord;

/** @throws 404 for a load balancer that does not exist or belongs to another project */
export async function findLoadBalancer(request: ProjectReader, id: string): Promise<LoadBalancerRecord> {
  return find(request, 'load balancer', request.openstack.loadBalancer.loadBalancers.get(id));
}

/** @throws 404 unless the listener belongs to the load balancer, and that to the project */
export async function findListener(
  request: ProjectReader,
  loadBalancerId: string,
  id: string,
): Promise<ListenerRecord> {
  const listener = find(request, 'listener', request.openstack.loadBalancer.listeners.get(id));
  return childOf(loadBalancerId, 'listener', await listener);
}

/** @throws 404 unless the pool belongs to the load balancer, and that to the project */
export async function findPool(
  request: ProjectReader,
  loadBalancerId: string,
  id: string,
): Promise<PoolRecord> {
  const pool = find(request, 'pool', request.openstack.loadBalancer.pools.get(id));
  return childOf(loadBalancerId, 'pool', await pool);
}

/** The service answers with 403 instead of 404 for those of other projects. */
function find<T extends { project_id: string }>(
  request: ProjectReader,
  what: string,
  read: Promise<T>,
): Promise<T> {
  const found = read.catch((error: unknown) => {
    throw error instanceof UpstreamError && error.upstreamStatus === 403 ? noSuch(what, error) : error;
  });
  return ofOwnProject(request, what, found);
}

function childOf<T extends Child>(loadBalancerId: string, what: string, child: T): T {
  if (child.loadbalancers.some(({ id }) => id === loadBalancerId)) return child;
  throw notFound(`There is no such ${what} of this load balancer.`);
}
