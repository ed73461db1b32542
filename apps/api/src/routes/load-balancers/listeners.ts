import { type Listener, presentListener } from '@gateway/views';
import type { RequestContext } from '../../pipeline/request-context.ts';
import type { CreateListenerBody, UpdateListenerBody } from './bodies.ts';
import { findListener, findLoadBalancer, findPool } from './find.ts';
import { writeInTurn } from './write-in-turn.ts';

type Params = { lb_id: string };

export async function listListeners(request: RequestContext<Params>): Promise<Listener[]> {
  const { id } = await findLoadBalancer(request, request.params.lb_id);
  const listeners = await request.openstack.loadBalancer.listeners.list({ loadbalancer_id: id });
  return listeners.map((listener) => presentListener(listener, id));
}

export async function createListener(
  request: RequestContext<Params, unknown, CreateListenerBody>,
): Promise<Listener> {
  const { body, openstack, params } = request;
  const { id } = await findLoadBalancer(request, params.lb_id);
  if (body.default_pool_id !== undefined) await findPool(request, id, body.default_pool_id);
  const listener = await writeInTurn(request, id, () =>
    openstack.loadBalancer.listeners.create({ ...body, loadbalancer_id: id }),
  );
  return presentListener(listener, id);
}

export async function updateListener(
  request: RequestContext<Params & { listener_id: string }, unknown, UpdateListenerBody>,
): Promise<Listener> {
  const { body, openstack, params } = request;
  const listener = await findListener(request, params.lb_id, params.listener_id);
  if (Object.keys(body).length === 0) return presentListener(listener, params.lb_id);
  if (body.default_pool_id) await findPool(request, params.lb_id, body.default_pool_id);
  const updated = await writeInTurn(request, params.lb_id, () =>
    openstack.loadBalancer.listeners.update(listener.id, body),
  );
  return presentListener(updated, params.lb_id);
}

export async function deleteListener(
  request: RequestContext<Params & { listener_id: string }>,
): Promise<void> {
  const { openstack, params } = request;
  const { id } = await findListener(request, params.lb_id, params.listener_id);
  await writeInTurn(request, params.lb_id, () => openstack.loadBalancer.listeners.remove(id));
}
