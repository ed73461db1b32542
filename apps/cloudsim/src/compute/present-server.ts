import { createHash } from 'node:crypto';
import { microseconds, seconds } from '../common/timestamps.ts';
import { bookmark, selfAndBookmark } from '../http/links.ts';
import type { ComputeCall, ComputeCloud } from './cloud.ts';
import { portsOf } from './nics.ts';
import type { Server } from './state.ts';

export function presentBrief(call: ComputeCall, server: Server): object {
  const { id, name } = server;
  return { id, name, links: selfAndBookmark(call.base, `servers/${id}`) };
}

/** The server in the requested microversion. Only administrators get host fields. */
export function presentServer(call: ComputeCall, server: Server): object {
  return {
    ...presentListed(call, server),
    ...(call.minor >= 71 ? { server_groups: server.groupId === null ? [] : [server.groupId] } : {}),
  };
}

/** A row of the detailed list: the server without its server groups. */
export function presentListed(call: ComputeCall, server: Server): object {
  const { minor, caller, base, cloud } = call;
  const since = (version: number, fields: object) => (minor >= version ? fields : {});
  const placed = server.host !== null;
  return {
    id: server.id,
    name: server.name,
    status: server.status,
    tenant_id: server.projectId,
    user_id: server.userId,
    metadata: server.metadata,
    hostId:
      server.host === null || server.vmState === 'building' ? '' : hostId(server.projectId, server.host),
    image: presentImage(server, base),
    flavor: presentFlavor(server, base, minor),
    created: seconds(server.createdMs),
    updated: seconds(server.updatedMs),
    addresses: server.vmState === 'building' ? {} : addresses(cloud, server),
    accessIPv4: '',
    accessIPv6: '',
    links: selfAndBookmark(base, `servers/${server.id}`),
    'OS-DCF:diskConfig': 'MANUAL',
    ...(server.fault === null || server.status !== 'ERROR'
      ? {}
      : {
          fault: {
            code: server.fault.code,
            created: seconds(server.fault.createdMs),
            message: server.fault.message,
          },
        }),
    ...(server.status === 'BUILD' || server.status === 'ACTIVE' ? { progress: 0 } : {}),
    'OS-EXT-AZ:availability_zone': placed ? server.zone : '',
    config_drive: server.configDrive ? 'True' : '',
    key_name: server.keyName,
    'OS-SRV-USG:launched_at': server.launchedMs === null ? null : microseconds(server.launchedMs),
    'OS-SRV-USG:terminated_at': null,
    ...(server.vmState !== 'building' && portsOf(cloud, server).length > 0
      ? { security_groups: server.securityGroups.map((name) => ({ name })) }
      : {}),
    ...(caller.isAdmin ? administrative(server, minor) : {}),
    'OS-EXT-STS:task_state': server.taskState,
    'OS-EXT-STS:vm_state': server.vmState,
    'OS-EXT-STS:power_state': server.powerState,
    'os-extended-volumes:volumes_attached': server.volumes.map(({ volumeId, deleteOnTermination }) => ({
      id: volumeId,
      ...since(3, { delete_on_termination: deleteOnTermination }),
    })),
    ...(caller.isAdmin ? since(16, { host_status: placed ? 'UP' : '' }) : {}),
    ...since(9, { locked: server.lock !== null }),
    ...since(73, { locked_reason: server.lock?.reason ?? null }),
    ...since(19, { description: server.description }),
    ...since(26, { tags: server.tags }),
    ...since(63, { trusted_image_certificates: null }),
    ...since(90, { 'OS-EXT-SRV-ATTR:hostname': server.name.toLowerCase() }),
  };
}

const hostIds = new Map<string, string>();

/** Identifies a host without its name. Each project gets a different id. */
function hostId(projectId: string, host: string): string {
  const key = projectId + host;
  const known = hostIds.get(key) ?? createHash('sha224').update(key).digest('hex');
  hostIds.set(key, known);
  return known;
}

function presentImage(server: Server, base: string): object | string {
  if (server.imageId === null) return '';
  return { id: server.imageId, links: [bookmark(base, `images/${server.imageId}`)] };
}

function presentFlavor({ flavor }: Server, base: string, minor: number): object {
  if (minor < 47) {
    return { id: flavor.id, links: [bookmark(base, `flavors/${flavor.id}`)] };
  }
  return {
    vcpus: flavor.vcpus,
    ram: flavor.ramMb,
    disk: flavor.diskGb,
    ephemeral: 0,
    swap: 0,
    original_name: flavor.name,
    extra_specs: flavor.extraSpecs,
  };
}

/** Addresses by network name: each fixed address, followed by its floating addresses. */
export function addresses(cloud: ComputeCloud, server: Server): Record<string, object[]> {
  const result: Record<string, object[]> = {};
  for (const port of cloud.network.portsByDevice.get(server.id) ?? []) {
    const network = cloud.network.networks.get(port.network_id)?.name ?? '';
    result[network] ??= [];
    const entries = result[network];
    const entry = (addr: string, type: string) => ({
      version: 4,
      addr,
      'OS-EXT-IPS:type': type,
      'OS-EXT-IPS-MAC:mac_addr': port.mac_address,
    });
    for (const fixed of port.fixed_ips) {
      entries.push(entry(fixed.ip_address, 'fixed'));
      for (const floating of cloud.network.floatingIpsByPort.get(port.id) ?? [])
        if (floating.isKnownToCompute && floating.fixed_ip_address === fixed.ip_address)
          entries.push(entry(floating.floating_ip_address, 'floating'));
    }
  }
  return result;
}

function administrative(server: Server, minor: number): object {
  return {
    'OS-EXT-SRV-ATTR:host': server.host,
    'OS-EXT-SRV-ATTR:instance_name': `instance-${server.number.toString(16).padStart(8, '0')}`,
    'OS-EXT-SRV-ATTR:hypervisor_hostname': server.host,
    ...(minor >= 3
      ? {
          'OS-EXT-SRV-ATTR:reservation_id': `r-${server.id.slice(0, 8)}`,
          'OS-EXT-SRV-ATTR:launch_index': 0,
          'OS-EXT-SRV-ATTR:hostname': server.name.toLowerCase(),
          'OS-EXT-SRV-ATTR:kernel_id': '',
          'OS-EXT-SRV-ATTR:ramdisk_id': '',
          'OS-EXT-SRV-ATTR:root_device_name': '/dev/vda',
          'OS-EXT-SRV-ATTR:user_data': server.userData,
        }
      : {}),
  };
}
