import { conflict, type GatewayError, trimEndChars } from '@gateway/core';
import { type PortRecord, ROUTER_PORTS, UpstreamError } from '@gateway/openstack';
import type { Scope } from '@gateway/resources';
import type { RequestContext } from '../pipeline/request-context.ts';

/** Ports that the network service deletes together with their subnet or network. */
const REMOVED_ALONG = new Set(['network:dhcp', 'network:distributed', 'network:floatingip_agent_gateway']);

/** Maximum number of names in a sentence. */
const MAX_NAMED = 5;

/**
 * The service has refused a write because something else still uses the resource. Quotas have another code.
 */
export function isRefusedAsInUse(error: unknown): error is UpstreamError {
  return error instanceof UpstreamError && error.status === 409 && error.code === 'conflict';
}

/** The 409 of a write that other resources prevent. Without their names, it has the service's own reason. */
export function inUseConflict(
  failure: string,
  names: readonly string[],
  cause?: UpstreamError,
): GatewayError {
  const options = cause && { cause, upstream: cause.upstream };
  if (names.length === 0)
    return conflict('in_use', `${failure}: ${trimEndChars(cause?.message ?? '', '.')}.`, options);
  const rest = names.length - MAX_NAMED;
  const named = names.slice(0, MAX_NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  return conflict('in_use', `${failure}: first remove ${named}.`, options);
}

/** A resource in a sentence: its name, if any, and its id. */
export function nameOf(kind: string, { id, name }: { id: string; name?: string }): string {
  return name ? `${kind} "${name}" (${id})` : `${kind} ${id}`;
}

/** The devices that use the ports, as `instance "web" (id)`; of a port without a device, the port itself. */
export async function nameUsersOf(
  { caller, openstack }: RequestContext,
  ports: readonly PortRecord[],
  scope: Scope = 'project',
): Promise<string[]> {
  const inUse = ports.filter(({ device_owner }) => !REMOVED_ALONG.has(device_owner ?? ''));
  const kinds = new Set(inUse.map(kindOf));
  const isWide = scope === 'cloud';
  const named = ({ id, name }: { id: string; name: string }) => [id, name] as const;
  const [servers, routers] = await Promise.all([
    kinds.has('instance') ? openstack.compute.servers.listAs(named, isWide ? { all_tenants: 1 } : {}) : [],
    kinds.has('router')
      ? openstack.network.routers.listFields(
          ['id', 'name'],
          named,
          isWide ? {} : { project_id: caller.identity.projectId },
        )
      : [],
  ]);
  const names = new Map([...servers, ...routers]);
  const users = inUse.map((port) => {
    const kind = kindOf(port);
    const id = port.device_id ?? '';
    return kind === 'port' ? nameOf(kind, port) : nameOf(kind, { id, name: names.get(id) });
  });
  return [...new Set(users)];
}

function kindOf({ device_id, device_owner }: PortRecord): string {
  if (!device_id || !device_owner) return 'port';
  if (device_owner.startsWith('compute:')) return 'instance';
  return ROUTER_PORTS.includes(device_owner) ? 'router' : device_owner;
}
