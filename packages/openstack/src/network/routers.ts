import { alsoNamed, flag, item, key, listOf, partOrNull, text } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';
import { ExtensionCollection } from './extension-collection.ts';
import type { NetworkFilters } from './filters.ts';

const routerRecord = declareRecord('network', 'router', {
  id: key(),
  name: text(),
  project_id: alsoNamed('tenant_id', text()),
  status: text('UNKNOWN'),
  /** One that is switched off forwards nothing. */
  admin_state_up: flag(true),
  external_gateway_info: partOrNull({ network_id: key() }),
  routes: listOf(item({ destination: text(), nexthop: text() })),
  created_at: text(),
  updated_at: text(),
});

export type RouterRecord = RecordOf<typeof routerRecord>;

/** What a router answers to the addition of an interface. */
const interfaceRecord = declareRecord('network', 'router_interface', { port_id: key() });

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

export class Routers extends ExtensionCollection<RouterRecord, RouterCreate, RouterUpdate, RouterQuery> {
  constructor(network: ServiceClient) {
    super(network, 'router', 'routers', 'router', 'routers', routerRecord);
  }

  addInterface(id: string, target: { subnet_id: string }): Promise<{ port_id: string }> {
    const url = path`/routers/${id}/add_router_interface`;
    return this.service.putRecord('routers.addInterface', url, null, interfaceRecord, { body: target });
  }

  removeInterface(id: string, body: { subnet_id: string } | { port_id: string }): Promise<void> {
    const url = path`/routers/${id}/remove_router_interface`;
    return this.service.requestVoid('PUT', 'routers.removeInterface', url, { body });
  }
}
