import type { FloatingIpRecord } from '@gateway/openstack';
import { CachedList } from './cached-list.ts';

export interface FloatingIp {
  id: string;
  floating_ip_address: string;
  fixed_ip_address: string | null;
  status: string;
  port_id: string | null;
  floating_network_id: string;
  project_id: string | null;
}

export const FLOATING_IP_FIELDS = [
  'id',
  'floating_ip_address',
  'fixed_ip_address',
  'status',
  'port_id',
  'floating_network_id',
  'project_id',
] as const;

export function presentFloatingIp(
  floatingIp: Pick<FloatingIpRecord, (typeof FLOATING_IP_FIELDS)[number]>,
): FloatingIp {
  return {
    id: floatingIp.id,
    floating_ip_address: floatingIp.floating_ip_address,
    fixed_ip_address: floatingIp.fixed_ip_address,
    status: floatingIp.status,
    port_id: floatingIp.port_id,
    floating_network_id: floatingIp.floating_network_id,
    project_id: floatingIp.project_id || null,
  };
}

export function presentFloatingIps(floatingIps: readonly FloatingIpRecord[]): FloatingIp[] {
  return floatingIps.map(presentFloatingIp).sort(byAddress);
}

export function byAddress(a: FloatingIp, b: FloatingIp): number {
  return a.floating_ip_address.localeCompare(b.floating_ip_address, 'en', { numeric: true });
}

/** The router has not yet applied the change: the status follows the start and the end of an association. */
export function isFloatingIpInTransition({ port_id, status }: FloatingIp): boolean {
  return status === (port_id === null ? 'ACTIVE' : 'DOWN');
}

export const floatingIpList = new CachedList<FloatingIp[]>({
  name: 'floatingIps',
  varyBy: 'project',
  dependsOn: ['floating_ip', 'port'],
  lifetime: 'networksSeconds',
  isInTransition: (floatingIps) => floatingIps.some(isFloatingIpInTransition),
  async load({ openstack, reader }) {
    return presentFloatingIps(await openstack.network.floatingIps.list({ project_id: reader.projectId }));
  },
});
