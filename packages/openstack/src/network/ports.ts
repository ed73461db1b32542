import { Collection } from '../collection.ts';
import type { ServiceClient } from '../service.ts';
import type { NetworkFilters } from './filters.ts';

export interface PortRecord {
  id: string;
  name: string;
  network_id: string;
  project_id: string;
  mac_address: string;
  status: string;
  admin_state_up: boolean;
  /** The server or router that uses the port; empty if unused. */
  device_id: string;
  /** `compute:<zone>`, `network:router_interface`, …; empty if unused. */
  device_owner: string;
  fixed_ips: FixedIp[];
  /** Ids. */
  security_groups: string[];
  port_security_enabled?: boolean;
  /** Further addresses that the port may use, or networks of such. */
  allowed_address_pairs?: { ip_address: string; mac_address: string }[];
  'binding:vnic_type'?: string;
  description: string;
  tags: string[];
  created_at: string;
  updated_at: string;
  /** Grows with each change. Absent in a cloud without the extension. */
  revision_number?: number;
  /** For administrators. */
  'binding:host_id'?: string;
}

export interface FixedIp {
  subnet_id: string;
  ip_address: string;
}

interface PortCreate {
  network_id: string;
  name?: string;
  fixed_ips?: { subnet_id?: string; ip_address?: string }[];
  security_groups?: string[];
  description?: string;
  admin_state_up?: boolean;
  port_security_enabled?: boolean;
  device_id?: string;
  device_owner?: string;
  project_id?: string;
}

type PortQuery = NetworkFilters & {
  description?: string | readonly string[];
  device_id?: string | readonly string[];
  device_owner?: string | readonly string[];
  network_id?: string | readonly string[];
  status?: string;
  mac_address?: string;
  /** Ports in this group. */
  security_groups?: string;
};

export class Ports extends Collection<
  PortRecord,
  PortCreate,
  Partial<Omit<PortCreate, 'network_id' | 'project_id'>>,
  PortQuery
> {
  constructor(network: ServiceClient) {
    super(network, 'ports', 'port', 'ports');
  }
}
