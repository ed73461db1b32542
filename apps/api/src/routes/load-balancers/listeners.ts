import type { ListenerRecord, LoadBalancerRecord } from '@gateway/openstack';
import { addNames, type Listener, loadBalancerActions, namesRead, presentListener } from '@gateway/resources';
import { isEmpty } from '../../http/schemas/is-empty.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { requireAction } from '../../resources/require-action.ts';
import type { CreateListenerBody, UpdateListenerBody } from './bodies.ts';
import { findListener, findLoadBalancer, findPool } from './find.ts';
import { writeInTurn } from './write-in-turn.ts';

type Params = { lb_id: string };

export async function listListeners(request: RequestContext<Params>): Promise<Listener[]> {
  const loadBalancer = await findLoadBalancer(request, request.params.lb_id);
  const listeners = await request.openstack.loadBalancer.listeners.list({ loadbalancer_id: loadBalancer.id });
  return present(request, loadBalancer, listeners);
}

/** With the names of their pools, which cost a call if one of the listeners has a pool. */
async function present(
  request: RequestContext,
  loadBalancer: LoadBalancerRecord,
  listeners: readonly ListenerRecord[],
): Promise<Listener[]> {
  const rows = listeners.map((listener) => presentListener(listener, loadBalancer));
  const pools = namesRead(({ openstack }) =>
    openstack.loadBalancer.pools.list({ loadbalancer_id: loadBalancer.id }),
  );
  return addNames(sourcesOf(request), rows, { default_pool_id: pools });
}

async function presentOne(
  request: RequestContext,
  loadBalancer: LoadBalancerRecord,
  listener: ListenerRecord,
): Promise<Listener> {
  const [row] = await present(request, loadBalancer, [listener]);
  return row as Listener;
}

export async function createListener(
  request: RequestContext<Params, unknown, CreateListenerBody>,
): Promise<Listener> {
  const { body, openstack, params } = request;
  const loadBalancer = await findLoadBalancer(request, params.lb_id);
  requireAction(request, loadBalancerActions.add_listener, loadBalancer);
  const { id } = loadBalancer;
  if (body.default_pool_id !== undefined) await findPool(request, id, body.default_pool_id);
  const listener = await writeInTurn(request, id, () =>
    openstack.loadBalancer.listeners.create({ ...body, loadbalancer_id: id }),
  );
  return presentOne(request, loadBalancer, listener);
}

export async function updateListener(
  request: RequestContext<Params & { listener_id: string }, unknown, UpdateListenerBody>,
): Promise<Listener> {
  const { body, openstack, params } = request;
  const loadBalancer = await findLoadBalancer(request, params.lb_id);
  const listener = await findListener(request, params.lb_id, params.listener_id);
  if (isEmpty(body)) return presentOne(request, loadBalancer, listener);
  if (body.default_pool_id) await findPool(request, params.lb_id, body.default_pool_id);
  const updated = await writeInTurn(request, params.lb_id, () =>
    openstack.loadBalancer.listeners.update(listener.id, body),
  );
  return presentOne(request, loadBalancer, updated);
}

export async function deleteListener(
  request: RequestContext<Params & { listener_id: string }>,
): Promise<void> {
  const { openstack, params } = request;
  const { id } = await findListener(request, params.lb_id, params.listener_id);
  await writeInTurn(request, params.lb_id, () => openstack.loadBalancer.listeners.remove(id));
}
