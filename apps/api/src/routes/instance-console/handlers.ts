import { conflict } from '@gateway/core';
import { type RemoteConsole, UpstreamError } from '@gateway/openstack';
import { instanceActions, instanceRule } from '@gateway/resources';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { explainRefusal } from '../../resources/instance-state.ts';
import { getOwnServer } from '../../resources/read-instance.ts';
import { requireAction } from '../../resources/require-action.ts';
import type { LogQuery } from './schemas.ts';

type InstanceParams = { instance_id: string };

/** In the order of preference. Clouds support different ones. */
const CONSOLES = [
  { protocol: 'vnc', type: 'novnc' },
  { protocol: 'spice', type: 'spice-html5' },
  { protocol: 'serial', type: 'serial' },
];

/** How the service answers for a type of console that the cloud, or the driver of the host, does not have. */
const LACKING = [400, 501];

export async function getConsole(request: RequestContext<InstanceParams>) {
  const { instance_id: id } = request.params;
  requireAction(request, instanceActions.open_console, await getOwnServer(request, id));
  try {
    const { url, type } = await openConsole(request, id);
    return { url, type };
  } catch (error) {
    throw await explainRefusal(request, id, instanceActions.open_console, error);
  }
}

async function openConsole({ openstack }: RequestContext, serverId: string): Promise<RemoteConsole> {
  for (const kind of CONSOLES) {
    try {
      return await openstack.compute.servers.remoteConsole(serverId, kind);
    } catch (error) {
      if (!(error instanceof UpstreamError) || !LACKING.includes(error.upstreamStatus ?? 0)) throw error;
    }
  }
  throw conflict('not_supported', 'The instance has no console: the cloud does not offer consoles.');
}

const logRule = instanceRule({
  endpoint: 'GET /api/instances/{instance_id}/log',
  refusal: 'The instance has no console log',
  // The log of a machine that is shut down stays readable, so the service decides.
  vmStates: ['active', 'building', 'error', 'paused', 'rescued', 'resized', 'stopped', 'suspended'],
  blockingTasks: [],
});

export async function getLog(request: RequestContext<InstanceParams, LogQuery>) {
  const { openstack, params, query } = request;
  await getOwnServer(request, params.instance_id);
  try {
    const lines = query.length === 0 ? undefined : query.length;
    return { log: await openstack.compute.servers.consoleLog(params.instance_id, lines) };
  } catch (error) {
    // The service answers 404 also for an instance that has no log.
    throw await explainRefusal(request, params.instance_id, logRule, error, [404, 409]);
  }
}
