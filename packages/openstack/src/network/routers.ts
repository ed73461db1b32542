import { Collection } from '../collection.ts';
import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';
import type { NetworkFilters } from './filters.ts';
import type { FixedIp } from './ports.ts';

export interface RouterRecord {
  id: string;
  name: string;
  project_id: string;
  status: string;
  admin_state_up: boolean;
  external_gateway_info: RouterGateway | null;
  routes: { destination: string; nexthop: string }[];
  description: string;
  tags: string[];
  created_at: string;
  updated_at: string;
}

interface RouterGateway {
  network_id: string;
  external_fixed_ips: FixedIp[];
  /** Absent if policy hides it. */
  enable_snat?: boolean;
}

export interface RouterCreate {
  name?: string;
  description?: string;
  admin_state_up?: boolean;
  external_gateway_info?: { network_id: string } | null;
  project_id?: string;
}

/** Of existing routers: the next router of a route must be in a connected subnet. */
interface RouterUpdate extends Omit<RouterCreate, 'project_id'> {
  /** Replaces all static routes. */
  routes?: RouterRecord['routes'];
}

type RouterQuery = NetworkFilters & { status?: string };

interface RouterInterface {
  /** The router's id. */
  id: string;
  subnet_id: string;
  subnet_ids: string[];
  port_id: string;
  network_id: string;
}

export class Routers extends Collection<RouterRecord, RouterCreate, RouterUpdate, RouterQuery> {
  constructor(network: ServiceClient) {
    super(network, 'routers', 'router', 'routers');
  }

  addInterface(id: string, target: { subnet_id: string } | { port_id: string }): Promise<RouterInterface> {
    return this.service.put('routers.addInterface', path`/routers/${id}/add_router_interface`, target);
  }

  removeInterface(id: string, target: { subnet_id: string } | { port_id: string }): Promise<RouterInterface> {
    return this.service.put('routers.removeInterface', path`/routers/${id}/remove_router_interface`, target);
  }
}
