import { Collection } from '../collection.ts';
import { alsoNamed, flag, integerOrNull, key, listOf, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import type { NetworkFilters } from './filters.ts';

const networkRecord = declareRecord('network', 'network', {
  id: key(),
  name: text(),
  project_id: alsoNamed('tenant_id', text()),
  status: text('UNKNOWN'),
  /** One that is switched off carries nothing. */
  admin_state_up: flag(true),
  shared: flag(false),
  'router:external': flag(false),
  /** Ids. */
  subnets: listOf(key()),
  /** Ends with a dot; empty for no domain, and in a cloud without names in the DNS. */
  dns_domain: text(),
  created_at: text(),
  updated_at: text(),
  /** Grows with each change. Null in a cloud without the extension. */
  revision_number: integerOrNull(),
  /** For administrators. */
  'provider:network_type': textOrNull(),
  'provider:physical_network': textOrNull(),
  'provider:segmentation_id': integerOrNull(),
});

export type NetworkRecord = RecordOf<typeof networkRecord>;

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
    super(network, 'networks', 'network', 'networks', '', networkRecord);
  }
}
