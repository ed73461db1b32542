import type { ResourceName } from '@gateway/core';
import type { PortRecord } from '@gateway/openstack';
import { namePorts, type Port, presentPort } from '@gateway/resources';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { changingListsOf } from '../../resources/changing-lists.ts';
import type { UpdatePortBody } from './schemas.ts';

type PortRequest<Body = unknown> = RequestContext<{ port_id: string }, unknown, Body>;

/** The instance loses the port's addresses, and floating IPs lose the port. */
const REMOVED_ALONG: readonly ResourceName[] = ['port', 'instance', 'floating_ip', 'router'];

export async function updatePort(request: PortRequest<UpdatePortBody>): Promise<Port> {
  const { name } = request.body;
  const port = await readPort(request);
  if (name === undefined) return present(request, port);
  const { ports } = request.openstack.network;
  return present(
    request,
    await changingListsOf(request, { projectId: port.project_id }, ['port'], () =>
      ports.update(port.id, { name }),
    ),
  );
}

async function present(request: RequestContext, record: PortRecord): Promise<Port> {
  const port = presentPort(record);
  await namePorts(sourcesOf(request), [port]);
  return port;
}

/** The service refuses to delete the ports of routers and floating IPs. */
export async function deletePort(request: PortRequest): Promise<void> {
  const port = await readPort(request);
  await changingListsOf(request, { projectId: port.project_id }, REMOVED_ALONG, () =>
    request.openstack.network.ports.remove(port.id),
  );
}

/** A port of any project. Throws 404. */
function readPort({ openstack, params }: PortRequest): Promise<PortRecord> {
  return openstack.network.ports.get(params.port_id);
}
