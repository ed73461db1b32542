import { type FloatingIpRecord, isStale, type LoadBalancerRecord } from '@gateway/openstack';
import {
  type LoadBalancer,
  loadBalancerActions,
  nameLoadBalancers,
  presentLoadBalancer,
} from '@gateway/resources';
import { isEmpty } from '../../http/schemas/is-empty.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { requireAction } from '../../resources/require-action.ts';
import type { CreateLoadBalancerBody, UpdateLoadBalancerBody } from './bodies.ts';
import { findLoadBalancer } from './find.ts';
import { requireVisibleSubnet } from './require-visible-subnet.ts';
import { createWhenUnlocked, writeInTurn } from './write-in-turn.ts';

type LoadBalancerRequest = RequestContext<{ lb_id: string }>;

export async function getLoadBalancer(request: LoadBalancerRequest): Promise<LoadBalancer> {
  return present(request, await findLoadBalancer(request, request.params.lb_id));
}

export async function createLoadBalancer(
  request: RequestContext<unknown, unknown, CreateLoadBalancerBody>,
): Promise<LoadBalancer> {
  const { body, openstack } = request;
  await requireVisibleSubnet(request, 'vip_subnet_id', body.vip_subnet_id);
  const create = () => openstack.loadBalancer.loadBalancers.create(body);
  return present(request, await createWhenUnlocked(request, create));
}

async function present(request: RequestContext, record: LoadBalancerRecord): Promise<LoadBalancer> {
  const sources = sourcesOf(request);
  const loadBalancer = presentLoadBalancer(record, sources);
  await nameLoadBalancers(sources, [loadBalancer]);
  return loadBalancer;
}

export async function updateLoadBalancer(
  request: RequestContext<{ lb_id: string }, unknown, UpdateLoadBalancerBody>,
): Promise<LoadBalancer> {
  const { body, openstack, params } = request;
  const balancer = await findLoadBalancer(request, params.lb_id);
  if (isEmpty(body)) return present(request, balancer);
  requireAction(request, loadBalancerActions.update, balancer);
  const updated = await writeInTurn(request, balancer.id, () =>
    openstack.loadBalancer.loadBalancers.update(balancer.id, body),
  );
  return present(request, updated);
}

/**
 * Deletes the load balancer with everything below it. The floating IPs of its address stay in the project,
 * free for another use.
 */
export async function deleteLoadBalancer(request: LoadBalancerRequest): Promise<void> {
  const { openstack, params } = request;
  const balancer = await findLoadBalancer(request, params.lb_id);
  requireAction(request, loadBalancerActions.delete, balancer);
  const { id, vip_port_id } = balancer;
  const floatingIps = await listFloatingIps(request, vip_port_id);
  const remove = () => openstack.loadBalancer.loadBalancers.removeWithChildren(id);
  await writeInTurn(request, id, remove, ['ACTIVE', 'ERROR']);
  await Promise.all(floatingIps.map((floatingIp) => disassociate(request, floatingIp)));
}

async function listFloatingIps(
  { openstack }: RequestContext,
  portId: string | null,
): Promise<FloatingIpRecord[]> {
  if (portId === null) return [];
  const found = await openstack.network.floatingIps.list({ port_id: portId });
  return found.filter(({ port_id }) => port_id === portId);
}

/**
 * Never fails: the network service disassociates the address itself when the port is deleted, a few seconds
 * later. From then on others may associate it, so a changed floating IP is left alone.
 */
async function disassociate(
  { logger, openstack }: RequestContext,
  { id, revision_number }: FloatingIpRecord,
): Promise<void> {
  try {
    await openstack.network.floatingIps.update(id, { port_id: null }, revision_number);
  } catch (error) {
    if (isStale(error)) return;
    logger.warn('The floating IP of a deleted load balancer could not be disassociated', { error });
  }
}
