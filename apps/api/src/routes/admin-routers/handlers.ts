import type { ResourceName } from '@gateway/core';
import type { PortRecord, RouterRecord } from '@gateway/openstack';
import {
  type NewRouterInterface,
  namesInRouter,
  networkNames,
  presentRouter,
  type Router,
  sourcesIn,
  withNames,
} from '@gateway/resources';
import { isEmpty } from '../../http/schemas/is-empty.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { changingListsOf } from '../../resources/changing-lists.ts';
import { checkExternal } from '../../resources/visible-network.ts';
import { interfacesOf, removeRouter, sendRouterUpdate } from '../routers/changes.ts';
import { connectSubnet, disconnectSubnet } from '../routers/interfaces.ts';
import type { AddInterfaceBody, CreateRouterBody } from '../routers/schemas.ts';
import type { UpdateRouterBody } from './schemas.ts';

type RouterRequest<Body = unknown> = RequestContext<{ router_id: string }, unknown, Body>;

const CHANGED: readonly ResourceName[] = ['router', 'port'];

export async function createRouter(
  request: RequestContext<unknown, unknown, CreateRouterBody>,
): Promise<Router> {
  const { body, openstack } = request;
  const gateway = await gatewayTo(request, body.external_network_id);
  return present(request, await openstack.network.routers.create({ name: body.name, ...gateway }), []);
}

export async function updateRouter(request: RouterRequest<UpdateRouterBody>): Promise<Router> {
  const { name, external_network_id: networkId } = request.body;
  const router = await readRouter(request);
  // The service would assign a new address to a gateway that stays in its network.
  const isSame = networkId === (router.external_gateway_info?.network_id ?? null);
  const gateway = await gatewayTo(request, isSame ? undefined : networkId);
  const changes = { ...(name !== undefined && { name }), ...gateway };
  const updated = isEmpty(changes)
    ? router
    : await changingListsOf(request, { projectId: router.project_id }, CHANGED, () =>
        sendRouterUpdate(request, router, changes),
      );
  return present(request, updated, await interfacesOf(request, updated));
}

function present(
  request: RequestContext,
  router: RouterRecord,
  interfaces: readonly PortRecord[],
): Promise<Router> {
  return withNames(sourcesOf(request), presentRouter(router, interfaces), sourcesIn('cloud', namesInRouter));
}

export async function deleteRouter(request: RouterRequest): Promise<void> {
  const router = await readRouter(request);
  await changingListsOf(request, { projectId: router.project_id }, CHANGED, () =>
    removeRouter(request, router),
  );
}

export async function addInterface(request: RouterRequest<AddInterfaceBody>): Promise<NewRouterInterface> {
  const { body, openstack } = request;
  const router = await readRouter(request);
  const subnet = await openstack.network.subnets.get(body.subnet_id);
  const added = await changingListsOf(request, { projectId: router.project_id }, CHANGED, () =>
    connectSubnet(request, router, subnet),
  );
  return withNames(sourcesOf(request), added, { network_id: networkNames.cloud });
}

export async function removeInterface(
  request: RequestContext<{ router_id: string; subnet_id: string }>,
): Promise<void> {
  const router = await readRouter(request);
  await changingListsOf(request, { projectId: router.project_id }, CHANGED, () =>
    disconnectSubnet(request, router, request.params.subnet_id),
  );
}

/** A router of any project. Throws 404. */
function readRouter({ openstack, params }: RouterRequest): Promise<RouterRecord> {
  return openstack.network.routers.get(params.router_id);
}

/**
 * The part of a write that sets or removes the gateway. @throws 404, and 400 for a network that is not
 * external
 */
async function gatewayTo({ openstack }: Pick<RequestContext, 'openstack'>, networkId?: string | null) {
  if (networkId === undefined) return {};
  if (networkId === null) return { external_gateway_info: null };
  checkExternal(await openstack.network.networks.get(networkId), 'external_network_id');
  return { external_gateway_info: { network_id: networkId } };
}
