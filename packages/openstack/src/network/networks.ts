import { Collection } from '../collection.ts';
import type { ServiceClient } from '../service.ts';
import type { NetworkFilters } from './filters.ts';

export interface NetworkRecord {
  id: string;
  name: string;
  project_id: string;
  status: string;
  admin_state_up: boolean;
  shared: boolean;
  'router:external': boolean;
  /** Ids. */
  subnets: string[];
  mtu: number;
  description: string;
  port_security_enabled?: boolean;
  /** Ends with a dot; empty for no domain. Absent in a cloud without names in the DNS. */
  dns_domain?: string;
  availability_zones?: string[];
  tags: string[];
  created_at: string;
  updated_at: string;
  /** Grows with each change. Absent in a cloud without the extension. */
  revision_number?: number;
  /** For administrators. */
  'provider:network_type'?: string | null;
  'provider:physical_network'?: string | null;
  'provider:segmentation_id'?: number | null;
}

interface NetworkCreate {
  name: string;
  description?: string;
  admin_state_up?: boolean;
  shared?: boolean;
  'router:external'?: boolean;
  project_id?: string;
  mtu?: number;
  'provider:network_type'?: string;
  'provider:physical_network'?: string;
  'provider:segmentation_id'?: number;
}

type NetworkQuery = NetworkFilters & {
  'router:external'?: boolean;
  shared?: boolean;
  status?: string;
};

export class Networks extends Collection<
  NetworkRecord,
  NetworkCreate,
  Partial<Omit<NetworkCreate, 'project_id'>>,
  NetworkQuery
> {
  constructor(network: ServiceClient) {
    super(network, 'networks', 'network', 'networks');
  }
}
