import { isObject, objectAt, stringAt } from '../common/json.ts';
import { badRequest, notFound } from '../common/service-error.ts';
import { accepted, type Operation, ok, operation, type Reply } from '../http/operation.ts';
import type { Port } from '../network/state.ts';
import type { ComputeCall, ComputeCloud } from './cloud.ts';
import { requireUnlocked } from './lock.ts';
import { plug, portsOf, requestedNics, unplug } from './nics.ts';
import { requireServerState } from './server-state.ts';
import { findServer } from './servers.ts';
import type { Server } from './state.ts';

const DETACH_MS = 300;
const PLUGGABLE = ['active', 'paused', 'stopped'];

function present(port: Port, minor: number): object {
  return {
    net_id: port.network_id,
    port_id: port.id,
    mac_addr: port.mac_address,
    port_state: port.status,
    fixed_ips: port.fixed_ips,
    ...(minor >= 70 ? { tag: null } : {}),
  };
}

function list(call: ComputeCall): Reply {
  const ports = portsOf(call.cloud, findServer(call));
  return ok({ interfaceAttachments: ports.map((port) => present(port, call.minor)) });
}

function get(call: ComputeCall): Reply {
  const server = findServer(call);
  const port = portsOf(call.cloud, server).find(({ id }) => id === call.params.port);
  if (port === undefined) throw notFound(`Port id ${call.params.port} could not be found.`);
  return ok({ interfaceAttachment: present(port, call.minor) });
}

/** Attaches a port, a new port on a network, or a new port on the project's only network. */
function attach(call: ComputeCall): Reply {
  const { cloud, caller } = call;
  const server = findServer(call);
  requireUnlocked(call, server);
  requireServerState(server, 'attach_interface', PLUGGABLE);
  const input = objectAt(call.body, 'interfaceAttachment');
  const netId = stringAt(input, 'net_id');
  const portId = stringAt(input, 'port_id');
  if (netId !== undefined && portId !== undefined)
    throw badRequest('Must not input both network_id and port_id');
  const fixed = Array.isArray(input.fixed_ips) && isObject(input.fixed_ips[0]) ? input.fixed_ips[0] : {};
  const requested =
    portId !== undefined
      ? [{ port: portId }]
      : netId !== undefined
        ? [{ uuid: netId, fixed_ip: stringAt(fixed, 'ip_address') ?? null }]
        : 'auto';
  const [nic] = requestedNics(cloud, caller, requested);
  if (nic === undefined) throw badRequest('No network to attach to.');
  return ok({ interfaceAttachment: present(plug(cloud, server, nic), call.minor) });
}

/** Accepts a port that is not attached, without effect. */
function detach(call: ComputeCall): Reply {
  const server = findServer(call);
  requireUnlocked(call, server);
  requireServerState(server, 'detach_interface', PLUGGABLE);
  call.cloud.schedule.after(DETACH_MS, unplugPort, server, call.params.port ?? '');
  return accepted();
}

export function unplugPort(cloud: ComputeCloud, server: Server, portId: string): void {
  for (const port of portsOf(cloud, server)) if (port.id === portId) unplug(cloud, server, port);
}

export const interfaceOperations: Operation<ComputeCloud>[] = [
  operation('interfaces.list', 'GET /servers/:id/os-interface', list),
  operation('interfaces.create', 'POST /servers/:id/os-interface', attach),
  operation('interfaces.get', 'GET /servers/:id/os-interface/:port', get),
  operation('interfaces.delete', 'DELETE /servers/:id/os-interface/:port', detach),
];
