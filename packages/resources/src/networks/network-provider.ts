import type { NetworkRecord } from '@gateway/openstack';

/** How the cloud carries a network. Null where the service does not show it. */
export interface NetworkProvider {
  /** `flat`, `vlan`, `vxlan`, `geneve` and others. */
  provider_network_type: string | null;
  provider_physical_network: string | null;
  /** The id of the VLAN or of the tunnel. */
  provider_segmentation_id: number | null;
}

export function presentProvider(network: NetworkRecord): NetworkProvider {
  return {
    provider_network_type: network['provider:network_type'],
    provider_physical_network: network['provider:physical_network'],
    provider_segmentation_id: network['provider:segmentation_id'],
  };
}
