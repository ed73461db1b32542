import { notFound } from '@gateway/core';
import {
  type ListenerRecord,
  type LoadBalancerRecord,
  type PoolRecord,
  UpstreamError,
} from '@gateway/openstack';
import type { RequestContext } from '../../pipeline/request-context.ts';

type Reader = Pick<RequestContext, 'caller' | 'openstack'>;
type Child = ListenerRecord | PoolRecord;

/** @throws 404 for a load balancer that does not exist or belongs to another project */
export async function findLoadBalancer(request: Reader, id: string): Promise<LoadBalancerRecord> {
  return ofProject(request, 'load balancer', request.openstack.loadBalancer.loadBalancers.get(id));
}

/** @throws 404 unless the listener belongs to the load balancer, and that to the project */
export async function findListener(
  request: Reader,
  loadBalancerId: string,
  id: string,
): Promise<ListenerRecord> {
  const listener = ofProject(request, 'listener', request.openstack.loadBalancer.listeners.get(id));
  return childOf(loadBalancerId, 'listener', await listener);
}

/** @throws 404 unless the pool belongs to the load balancer, and that to the project */
export async function findPool(request: Reader, loadBalancerId: string, id: string): Promise<PoolRecord> {
  const pool = ofProject(request, 'pool', request.openstack.loadBalancer.pools.get(id));
  return childOf(loadBalancerId, 'pool', await pool);
}

/**
 * The service shows administrators the records of all projects, and answers others with 403 instead of 404.
 */
async function ofProject<T extends { project_id: string }>(
  { caller }: Reader,
  what: string,
  read: Promise<T>,
): Promise<T> {
  const record = await read.catch((error: unknown) => {
    throw error instanceof UpstreamError && error.upstreamStatus === 403 ? notFoundHere(what, error) : error;
  });
  if (record.project_id === caller.identity.projectId) return record;
  throw notFoundHere(what);
}

function childOf<T extends Child>(loadBalancerId: string, what: string, child: T): T {
  if (child.loadbalancers.some(({ id }) => id === loadBalancerId)) return child;
  throw notFound(`There is no such ${what} of this load balancer.`);
}

function notFoundHere(what: string, cause?: unknown): Error {
  return notFound(`There is no such ${what} in this project.`, { cause });
}
