import { conflict, invalidInput } from '@gateway/core';
import { networkProblem, nullIfNotFound, type PortRecord, UpstreamError } from '@gateway/openstack';
import { instanceActions } from '@gateway/resources';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { explainRefusal } from '../../resources/instance-state.ts';
import { getOwnServer } from '../../resources/read-instance.ts';
import { requireAction } from '../../resources/require-action.ts';
import { getVisibleNetwork } from '../../resources/visible-network.ts';

/**
 * Connects an instance to a network of the project or a shared one. The compute service creates the port, and
 * deletes it when the interface is removed.
 */
export async function connectToNetwork(
  request: RequestContext,
  instanceId: string,
  networkId: string,
): Promise<PortRecord> {
  const { openstack } = request;
  const server = await getOwnServer(request, instanceId);
  await requireUsableNetwork(request, networkId);
  requireAction(request, instanceActions.add_interface, server);
  try {
    const { port_id } = await openstack.compute.interfaces.create(server.id, { net_id: networkId });
    return await readCreatedPort(request, port_id);
  } catch (error) {
    throw await explainAddRefusal(request, server.id, error);
  }
}

/** @throws 404 for a network that members of the project cannot see, 400 for one that takes no servers */
async function requireUsableNetwork(request: RequestContext, networkId: string): Promise<void> {
  const problem = networkProblem(await getVisibleNetwork(request, networkId));
  if (problem === null) return;
  throw invalidInput(problem.detail, { errors: [{ field: 'body.net_id', message: problem.message }] });
}

async function readCreatedPort({ openstack }: RequestContext, portId: string): Promise<PortRecord> {
  const port = await nullIfNotFound(openstack.network.ports.get(portId));
  if (port === null)
    throw conflict('changed_meanwhile', 'Another client has removed the interface meanwhile.');
  return port;
}

/** The service answers 400 if the network has no free address. */
async function explainAddRefusal(
  request: RequestContext,
  serverId: string,
  error: unknown,
): Promise<unknown> {
  if (error instanceof UpstreamError && error.upstreamStatus === 400) {
    return conflict('refused_by_service', `${instanceActions.add_interface.refusal}: ${error.message}`, {
      cause: error,
      upstream: error.upstream,
    });
  }
  return explainRefusal(request, serverId, instanceActions.add_interface, error);
}
