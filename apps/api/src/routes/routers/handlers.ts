import { notFound } from '@gateway/core';
import type { PortRecord, RouterRecord } from '@gateway/openstack';
import {
  nameRouters,
  networkNames,
  presentRouter,
  type Router,
  readRouterDetail,
  withNames,
} from '@gateway/resources';
import { isEmpty } from '../../http/schemas/is-empty.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { getOwnRouter } from '../../resources/own-records.ts';
import { getVisibleSubnet, requireExternal } from '../../resources/visible-network.ts';
import { interfacesOf, removeRouter, sendRouterUpdate } from './changes.ts';
import { connectSubnet, disconnectSubnet } from './interfaces.ts';
import type { AddInterfaceBody, CreateRouterBody, SetGatewayBody, UpdateRouterBody } from './schemas.ts';

type RouterParams = { router_id: string };

export async function createRouter(request: RequestContext<unknown, unknown, CreateRouterBody>) {
  const { body, openstack } = request;
  const { name, external_network_id: networkId } = body;
  if (networkId !== undefined) await requireExternal(request, networkId, 'external_network_id');
  const gateway = networkId === undefined ? {} : { external_gateway_info: { network_id: networkId } };
  return present(request, await openstack.network.routers.create({ name, ...gateway }), []);
}

export async function getRouter(request: RequestContext<RouterParams>) {
  return readRouterDetail(sourcesOf(request), await getOwnRouter(request, request.params.router_id));
}

export async function updateRouter(request: RequestContext<RouterParams, unknown, UpdateRouterBody>) {
  const { body, openstack, params } = request;
  const router = await getOwnRouter(request, params.router_id);
  const updated = isEmpty(body) ? router : await openstack.network.routers.update(router.id, body);
  return readRouterDetail(sourcesOf(request), updated);
}

export async function deleteRouter(request: RequestContext<RouterParams>): Promise<void> {
  await removeRouter(request, await getOwnRouter(request, request.params.router_id));
}

export async function addInterface(request: RequestContext<RouterParams, unknown, AddInterfaceBody>) {
  const router = await getOwnRouter(request, request.params.router_id);
  const subnet = await getVisibleSubnet(request, request.body.subnet_id);
  const added = await connectSubnet(request, router, subnet);
  return withNames(sourcesOf(request), added, { network_id: networkNames.project });
}

export async function removeInterface(
  request: RequestContext<RouterParams & { subnet_id: string }>,
): Promise<void> {
  const { router_id, subnet_id } = request.params;
  await disconnectSubnet(request, await getOwnRouter(request, router_id), subnet_id);
}

export async function setGateway(request: RequestContext<RouterParams, unknown, SetGatewayBody>) {
  const { external_network_id: networkId } = request.body;
  const router = await getOwnRouter(request, request.params.router_id);
  await requireExternal(request, networkId, 'external_network_id');
  // The service would set the rest of the gateway, such as SNAT that is off, to its defaults.
  const isSame = networkId === router.external_gateway_info?.network_id;
  const updated = isSame
    ? router
    : await sendRouterUpdate(request, router, { external_gateway_info: { network_id: networkId } });
  return present(request, updated, await interfacesOf(request, updated));
}

async function present(
  request: RequestContext,
  record: RouterRecord,
  interfaces: readonly PortRecord[],
): Promise<Router> {
  const router = presentRouter(record, interfaces);
  await nameRouters(sourcesOf(request), [router]);
  return router;
}

export async function removeGateway(request: RequestContext<RouterParams>): Promise<void> {
  const router = await getOwnRouter(request, request.params.router_id);
  if (router.external_gateway_info === null) throw notFound('The router has no gateway.');
  await sendRouterUpdate(request, router, { external_gateway_info: null });
}
