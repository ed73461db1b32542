import { notFound } from '@gateway/core';
import { ROUTER_PORTS, type RouterRecord } from '@gateway/openstack';
import { presentRouter, readRouterDetail } from '@gateway/views';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { inTheWay, isRefusedAsInUse, nameOf } from '../../resources/in-the-way.ts';
import { requireExternal } from '../../resources/read-network.ts';
import { getOwnRouter } from './find-router.ts';
import { connectSubnet, disconnectSubnet, nameFloatingIps } from './interfaces.ts';
import type { AddInterfaceBody, CreateRouterBody, SetGatewayBody } from './schemas.ts';

type RouterParams = { router_id: string };

export async function createRouter(request: RequestContext<unknown, unknown, CreateRouterBody>) {
  const { body, openstack } = request;
  const { name, external_network_id: networkId } = body;
  if (networkId !== undefined) await requireExternal(request, networkId, 'external_network_id');
  const gateway = networkId === undefined ? {} : { external_gateway_info: { network_id: networkId } };
  return presentRouter(await openstack.network.routers.create({ name, ...gateway }), []);
}

export async function getRouter(request: RequestContext<RouterParams>) {
  return readRouterDetail(request.openstack, await getOwnRouter(request, request.params.router_id));
}

/** The service removes the port of the gateway together with the router. */
export async function deleteRouter(request: RequestContext<RouterParams>): Promise<void> {
  const { routers, subnets } = request.openstack.network;
  const router = await getOwnRouter(request, request.params.router_id);
  try {
    await routers.remove(router.id);
  } catch (error) {
    if (!isRefusedAsInUse(error)) throw error;
    const ports = await interfacesOf(request, router);
    const ids = ports.flatMap(({ fixed_ips }) => fixed_ips.map(({ subnet_id }) => subnet_id));
    const known = new Map((await subnets.listByIds(ids)).map(({ id, name }) => [id, name]));
    const names = ids.map((id) => nameOf('the interface in subnet', { id, name: known.get(id) }));
    throw inTheWay('The router can not be deleted', names, error);
  }
}

export async function addInterface(request: RequestContext<RouterParams, unknown, AddInterfaceBody>) {
  return connectSubnet(request, request.params.router_id, request.body.subnet_id);
}

export async function removeInterface(
  request: RequestContext<RouterParams & { subnet_id: string }>,
): Promise<void> {
  await disconnectSubnet(request, request.params.router_id, request.params.subnet_id);
}

export async function setGateway(request: RequestContext<RouterParams, unknown, SetGatewayBody>) {
  const { external_network_id: networkId } = request.body;
  const router = await getOwnRouter(request, request.params.router_id);
  await requireExternal(request, networkId, 'external_network_id');
  const updated = await changeGateway(request, router, { network_id: networkId });
  return presentRouter(updated, await interfacesOf(request, updated));
}

export async function removeGateway(request: RequestContext<RouterParams>): Promise<void> {
  const router = await getOwnRouter(request, request.params.router_id);
  if (router.external_gateway_info === null) throw notFound('The router has no gateway.');
  await changeGateway(request, router, null);
}

async function changeGateway(
  request: RequestContext,
  router: RouterRecord,
  gateway: { network_id: string } | null,
): Promise<RouterRecord> {
  try {
    return await request.openstack.network.routers.update(router.id, { external_gateway_info: gateway });
  } catch (error) {
    if (!isRefusedAsInUse(error)) throw error;
    const failure = 'The gateway of the router can not be changed';
    throw inTheWay(failure, await nameFloatingIps(request, router.id), error);
  }
}

function interfacesOf({ openstack }: RequestContext, { id }: RouterRecord) {
  return openstack.network.ports.list({ device_id: id, device_owner: ROUTER_PORTS });
}
