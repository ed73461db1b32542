import { Collection } from '../collection.ts';
import { UpstreamError } from '../errors/index.ts';
import type { ServiceClient } from '../service.ts';
import type { NetworkFilters } from './filters.ts';

export interface FloatingIpRecord {
  id: string;
  floating_ip_address: string;
  floating_network_id: string;
  fixed_ip_address: string | null;
  /** Null, like the router, while the floating IP is not associated. */
  port_id: string | null;
  router_id: string | null;
  project_id: string;
  status: string;
  description: string;
  tags: string[];
  created_at: string;
  updated_at: string;
  /** Grows with each change. Absent in a cloud without the extension. */
  revision_number?: number;
  /** The associated port. */
  port_details?: {
    name: string;
    network_id: string;
    device_id: string;
    device_owner: string;
    status: string;
  } | null;
}

export interface FloatingIpCreate {
  floating_network_id: string;
  port_id?: string;
  fixed_ip_address?: string;
  description?: string;
  project_id?: string;
}

/** A `port_id` of null disassociates the floating IP. */
interface FloatingIpUpdate {
  port_id?: string | null;
  fixed_ip_address?: string;
  description?: string;
}

type FloatingIpQuery = Omit<NetworkFilters, 'name'> & {
  port_id?: string | readonly string[];
  floating_network_id?: string | readonly string[];
  floating_ip_address?: string;
  router_id?: string;
  status?: string;
  description?: string | readonly string[];
};

/** The service lacks an extension, and so refuses what only the extension has. Nothing was made. */
function isUnknownAttribute(error: unknown, name: string): boolean {
  if (!(error instanceof UpstreamError) || error.upstreamStatus !== 400) return false;
  const message = error.upstreamMessage ?? '';
  return message.includes('Unrecognized attribute') && message.includes(`'${name}'`);
}

export class FloatingIps extends Collection<
  FloatingIpRecord,
  FloatingIpCreate,
  FloatingIpUpdate,
  FloatingIpQuery
> {
  constructor(network: ServiceClient) {
    super(network, 'floatingips', 'floatingip', 'floatingIps');
  }

  /** Without the description in a cloud whose network service has no descriptions. */
  override async create(floatingIp: FloatingIpCreate): Promise<FloatingIpRecord> {
    try {
      return await super.create(floatingIp);
    } catch (error) {
      if (floatingIp.description === undefined || !isUnknownAttribute(error, 'description')) throw error;
      const { description: _, ...rest } = floatingIp;
      return super.create(rest);
    }
  }
}
