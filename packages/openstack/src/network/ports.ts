import { Collection } from '../collection.ts';
import {
  alsoNamed,
  flag,
  integerOrNull,
  item,
  key,
  listOf,
  saidText,
  text,
  textOrNull,
} from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import type { NetworkFilters } from './filters.ts';

const fixedIp = item({ subnet_id: text(), ip_address: key() });

export const portRecord = declareRecord('network', 'port', {
  id: key(),
  name: text(),
  network_id: text(),
  project_id: alsoNamed('tenant_id', text()),
  mac_address: text(),
  status: text('UNKNOWN'),
  /** The server or router that uses the port; empty if unused, null if the service does not say it. */
  device_id: textOrNull(),
  /** `compute:<zone>`, `network:router_interface`, …; like `device_id`. */
  device_owner: textOrNull(),
  fixed_ips: listOf(fixedIp),
  /** Ids. */
  security_groups: listOf(key()),
  port_security_enabled: flag(true),
  /** Further addresses that the port may use, or networks of such. */
  allowed_address_pairs: listOf(item({ ip_address: text(), mac_address: text() })),
  /** Null if the service does not say it: then the port may have any mark. */
  description: saidText(),
  created_at: text(),
  updated_at: text(),
  /** Grows with each change. Null in a cloud without the extension. */
  revision_number: integerOrNull(),
});

export type PortRecord = RecordOf<typeof portRecord>;
export type FixedIp = PortRecord['fixed_ips'][number];

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
};

export class Ports extends Collection<
  PortRecord,
  PortCreate,
  Partial<Omit<PortCreate, 'network_id' | 'project_id'>>,
  PortQuery
> {
  constructor(network: ServiceClient) {
    super(network, 'ports', 'port', 'ports', '', portRecord);
  }
}
