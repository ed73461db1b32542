import { loadBalancerActions, type Pool, presentPool } from '@gateway/resources';
import { isEmpty } from '../../http/schemas/is-empty.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { requireAction } from '../../resources/require-action.ts';
import { findListener, findLoadBalancer, findPool } from './find.ts';
import type { CreatePoolBody, UpdatePoolBody } from './pool-bodies.ts';
import { writeInTurn } from './write-in-turn.ts';

type Params = { lb_id: string };

export async function listPools(request: RequestContext<Params>): Promise<Pool[]> {
  const loadBalancer = await findLoadBalancer(request, request.params.lb_id);
  const pools = await request.openstack.loadBalancer.pools.list({ loadbalancer_id: loadBalancer.id });
  return pools.map((pool) => presentPool(pool, loadBalancer));
}

/**
 * The pool becomes the default of a listener, or is tied to the load balancer only. The service compares the
 * protocols only if it gets the listener alone.
 */
export async function createPool(request: RequestContext<Params, unknown, CreatePoolBody>): Promise<Pool> {
  const { body, openstack, params } = request;
  const loadBalancer = await findLoadBalancer(request, params.lb_id);
  requireAction(request, loadBalancerActions.add_pool, loadBalancer);
  const { id } = loadBalancer;
  if (body.listener_id !== undefined) await findListener(request, id, body.listener_id);
  const settings = body.listener_id === undefined ? { ...body, loadbalancer_id: id } : body;
  const pool = await writeInTurn(request, id, () => openstack.loadBalancer.pools.create(settings));
  return presentPool(pool, loadBalancer);
}

export async function updatePool(
  request: RequestContext<Params & { pool_id: string }, unknown, UpdatePoolBody>,
): Promise<Pool> {
  const { body, openstack, params } = request;
  const loadBalancer = await findLoadBalancer(request, params.lb_id);
  const pool = await findPool(request, params.lb_id, params.pool_id);
  if (isEmpty(body)) return presentPool(pool, loadBalancer);
  const updated = await writeInTurn(request, params.lb_id, () =>
    openstack.loadBalancer.pools.update(pool.id, body),
  );
  return presentPool(updated, loadBalancer);
}

export async function deletePool(request: RequestContext<Params & { pool_id: string }>): Promise<void> {
  const { openstack, params } = request;
  const { id } = await findPool(request, params.lb_id, params.pool_id);
  await writeInTurn(request, params.lb_id, () => openstack.loadBalancer.pools.remove(id));
}
