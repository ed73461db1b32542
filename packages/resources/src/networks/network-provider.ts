import type { NetworkRecord } from '@gateway/openstack';
import type { NetworkProvider } from './admin-network-shape.ts';

export function presentProvider(network: NetworkRecord): NetworkProvider {
  return {
    provider_network_type: network['provider:network_type'],
    provider_physical_network: network['provider:physical_network'],
    provider_segmentation_id: network['provider:segmentation_id'],
  };
}
