import { groupAllows } from './server-groups.ts';
import type { ComputeState, Host, Server } from './state.ts';

const CPU_RATIO = 4;

export interface HostUsage {
  vcpus: number;
  ramMb: number;
  diskGb: number;
  servers: Server[];
}

export function usageOf(compute: ComputeState, host: Host): HostUsage {
  const usage: HostUsage = { vcpus: 0, ramMb: 0, diskGb: 0, servers: [] };
  for (const server of compute.servers.values()) {
    if (server.host !== host.name) continue;
    usage.vcpus += server.flavor.vcpus;
    usage.ramMb += server.flavor.ramMb;
    usage.diskGb += server.imageId === null ? 0 : server.flavor.diskGb;
    usage.servers.push(server);
  }
  return usage;
}

/** The devices that a flavor requests, with counts: `a100` by alias, `VGPU` by resource class. */
function devicesOf(extraSpecs: Record<string, string>): Record<string, number> {
  const devices: Record<string, number> = {};
  for (const part of extraSpecs['pci_passthrough:alias']?.split(',') ?? []) {
    const [name = '', count = '1'] = part.split(':');
    devices[name] = Number(count);
  }
  for (const [key, value] of Object.entries(extraSpecs))
    if (key.startsWith('resources:')) devices[key.slice(10)] = Number(value);
  return devices;
}

export function devicesUsed(servers: Server[], device: string): number {
  return servers.reduce((sum, server) => sum + (devicesOf(server.flavor.extraSpecs)[device] ?? 0), 0);
}

/**
 * The first host with enough capacity for the server; undefined when there is none.
 *
 * @param except the name of a host that does not count
 */
export function hostFor(
  compute: ComputeState,
  server: Server,
  except: string | null = null,
): Host | undefined {
  const { flavor } = server;
  const devices = Object.entries(devicesOf(flavor.extraSpecs));
  return compute.hosts.find((host) => {
    const usage = usageOf(compute, host);
    return (
      host.status === 'enabled' &&
      !host.isForcedDown &&
      host.name !== except &&
      usage.vcpus + flavor.vcpus <= host.vcpus * CPU_RATIO &&
      usage.ramMb + flavor.ramMb <= host.ramMb &&
      groupAllows(compute, host, server) &&
      devices.every(
        ([device, count]) => devicesUsed(usage.servers, device) + count <= (host.devices[device] ?? 0),
      )
    );
  });
}
