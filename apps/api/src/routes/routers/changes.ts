import { type PortRecord, ROUTER_PORTS, type RouterCreate, type RouterRecord } from '@gateway/openstack';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { inUseConflict, isRefusedAsInUse, nameOf } from '../../resources/in-use.ts';
import { nameFloatingIps } from './interfaces.ts';

type Cloud = Pick<RequestContext, 'openstack'>;

/** The service removes the port of the gateway together with the router. */
export async function removeRouter(request: Cloud, router: RouterRecord): Promise<void> {
  const { routers, subnets } = request.openstack.network;
  try {
    await routers.remove(router.id);
  } catch (error) {
    if (!isRefusedAsInUse(error)) throw error;
    const ports = await interfacesOf(request, router);
    const ids = ports.flatMap(({ fixed_ips }) => fixed_ips.map(({ subnet_id }) => subnet_id));
    const known = new Map((await subnets.listByIds(ids)).map(({ id, name }) => [id, name]));
    const names = ids.map((id) => nameOf('the interface in subnet', { id, name: known.get(id) }));
    throw inUseConflict('The router cannot be deleted', names, error);
  }
}

/** Updates the name of a router, its gateway, or both. @throws 409 if floating IPs need the gateway */
export async function sendRouterUpdate(
  request: RequestContext,
  router: RouterRecord,
  changes: Pick<RouterCreate, 'name' | 'external_gateway_info'>,
): Promise<RouterRecord> {
  try {
    return await request.openstack.network.routers.update(router.id, changes);
  } catch (error) {
    if (!isRefusedAsInUse(error)) throw error;
    const failure = 'The gateway of the router cannot be changed';
    throw inUseConflict(failure, await nameFloatingIps(request, router.id), error);
  }
}

export function interfacesOf({ openstack }: Cloud, { id }: RouterRecord): Promise<PortRecord[]> {
  return openstack.network.ports.list({ device_id: id, device_owner: ROUTER_PORTS });
}
