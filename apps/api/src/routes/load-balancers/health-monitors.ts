import { notFound } from '@gateway/core';
import { type HealthMonitor, presentHealthMonitor } from '@gateway/resources';
import { isEmpty } from '../../http/schemas/is-empty.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { findPool } from './find.ts';
import type { CreateHealthMonitorBody, UpdateHealthMonitorBody } from './pool-bodies.ts';
import { writeInTurn } from './write-in-turn.ts';

type Params = { lb_id: string; pool_id: string };

export async function getHealthMonitor(request: RequestContext<Params>): Promise<HealthMonitor> {
  const { openstack, params } = request;
  const { healthmonitor_id: id } = await findPool(request, params.lb_id, params.pool_id);
  if (!id) throw notFound('The pool has no health monitor.');
  return presentHealthMonitor(await openstack.loadBalancer.healthMonitors.get(id));
}

export async function createHealthMonitor(
  request: RequestContext<Params, unknown, CreateHealthMonitorBody>,
): Promise<HealthMonitor> {
  const { body, openstack, params } = request;
  const { id } = await findPool(request, params.lb_id, params.pool_id);
  const monitor = await writeInTurn(request, params.lb_id, () =>
    openstack.loadBalancer.healthMonitors.create({ ...body, pool_id: id }),
  );
  return presentHealthMonitor(monitor);
}

export async function updateHealthMonitor(
  request: RequestContext<Params & { hm_id: string }, unknown, UpdateHealthMonitorBody>,
): Promise<HealthMonitor> {
  const { body, openstack, params } = request;
  const { healthMonitors } = openstack.loadBalancer;
  const id = await requireMonitor(request);
  if (isEmpty(body)) return presentHealthMonitor(await healthMonitors.get(id));
  return presentHealthMonitor(
    await writeInTurn(request, params.lb_id, () => healthMonitors.update(id, body)),
  );
}

/** The id in the path. @throws 404 unless the pool has that health monitor */
async function requireMonitor(request: RequestContext<Params & { hm_id: string }>): Promise<string> {
  const { hm_id, lb_id, pool_id } = request.params;
  const { healthmonitor_id: id } = await findPool(request, lb_id, pool_id);
  if (!id || id !== hm_id) throw notFound('There is no such health monitor of this pool.');
  return id;
}

export async function deleteHealthMonitor(
  request: RequestContext<Params & { hm_id: string }>,
): Promise<void> {
  const { openstack, params } = request;
  const id = await requireMonitor(request);
  await writeInTurn(request, params.lb_id, () => openstack.loadBalancer.healthMonitors.remove(id));
}
