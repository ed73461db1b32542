import { toTimestamp } from '@gateway/core';
import type { ContainerRecord } from '@gateway/openstack';
import type { InstanceAddress } from '../instances/addresses-shape.ts';
import { markTransition } from '../transitions/in-transition.ts';
import { isContainerInTransition } from '../transitions/states-in-transition.ts';
import type { Container } from './container-shape.ts';

/** The network service's data about the addresses of containers. */
export interface ContainerNetworks {
  /** By network id. */
  names: ReadonlyMap<string, string>;
  floatingIps: readonly {
    floating_ip_address: string;
    port_id: string | null;
    fixed_ip_address: string | null;
  }[];
}

/** Without the network service, containers have no names of networks and no floating IPs. */
export const NO_NETWORKS: ContainerNetworks = { names: new Map(), floatingIps: [] };

export function presentContainer(container: ContainerRecord, networks: ContainerNetworks): Container {
  const { command } = container;
  return {
    id: container.uuid,
    name: container.name,
    status: container.status,
    status_reason: container.status_reason,
    image: container.image,
    command: Array.isArray(command) ? command.map(quoted).join(' ') : command,
    cpu: container.cpu,
    memory: megabytesIn(container.memory),
    addresses: addressesOf(container, networks),
    host: container.host || null,
    created_at: toTimestamp(container.created_at),
    ...markTransition(isContainerInTransition(container), container.status, {
      changedAt: container.updated_at,
      createdAt: container.created_at,
    }),
  };
}

/** An argument as a creation takes it: in quotes where it would be taken apart. */
function quoted(argument: string): string {
  if (argument !== '' && !/[\s'"\\]/.test(argument)) return argument;
  return `"${argument.replace(/["\\]/g, '\\$&')}"`;
}

const MEGABYTES: Record<string, number> = { k: 1 / 1024, m: 1, g: 1024 };

/** The service appends a unit, by default `M`. */
function megabytesIn(memory: string | null): number | null {
  const found = /^(\d+)([kmg]?)b?$/i.exec(memory ?? '');
  if (found === null) return null;
  return Math.round(Number(found[1]) * (MEGABYTES[(found[2] ?? '').toLowerCase()] ?? 1));
}

/**
 * Each fixed address, followed by its floating IP. A network that the caller cannot see has an empty name.
 */
function addressesOf(
  { addresses }: ContainerRecord,
  { names, floatingIps }: ContainerNetworks,
): InstanceAddress[] {
  return Object.entries(addresses).flatMap(([networkId, ofNetwork]) => {
    const network_name = names.get(networkId) ?? '';
    return ofNetwork.flatMap(({ addr, port }) => [
      { addr, type: 'fixed' as const, network_name },
      ...floatingIps
        .filter(({ port_id, fixed_ip_address }) => port_id === port && fixed_ip_address === addr)
        .map((ip) => ({ addr: ip.floating_ip_address, type: 'floating' as const, network_name })),
    ]);
  });
}
