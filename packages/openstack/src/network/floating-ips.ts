import { UpstreamError } from '../errors/index.ts';
import {
  alsoNamed,
  integerOrNull,
  item,
  key,
  listOf,
  partOrNull,
  saidText,
  text,
  textOrNone,
  textOrNull,
} from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { ExtensionCollection } from './extension-collection.ts';
import type { NetworkFilters } from './filters.ts';

export const floatingIpRecord = declareRecord('network', 'floating_ip', {
  id: key(),
  floating_ip_address: text(),
  floating_network_id: text(),
  fixed_ip_address: textOrNull(),
  /** Null while the floating IP is not associated. */
  port_id: textOrNone(),
  project_id: alsoNamed('tenant_id', text()),
  status: text('UNKNOWN'),
  /** Null if the service does not say it: then the floating IP may have any mark. */
  description: saidText(),
  created_at: text(),
  updated_at: text(),
  /** Grows with each change. Null in a cloud without the extension. */
  revision_number: integerOrNull(),
  /** The associated port. Null also in a cloud without the extension. */
  port_details: partOrNull({ name: text(), device_id: text(), device_owner: text() }),
  /** Empty also in a cloud without the extension. A floating IP with one has no port of its own. */
  port_forwardings: listOf(item({ internal_ip_address: key() })),
});

export type FloatingIpRecord = RecordOf<typeof floatingIpRecord>;

/** Whether it is associated with a port, or forwards single ports to addresses. */
export function isFloatingIpUsed({
  port_forwardings,
  port_id,
}: Pick<FloatingIpRecord, 'port_forwardings' | 'port_id'>): boolean {
  return port_id !== null || port_forwardings.length > 0;
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

export class FloatingIps extends ExtensionCollection<
  FloatingIpRecord,
  FloatingIpCreate,
  FloatingIpUpdate,
  FloatingIpQuery
> {
  constructor(network: ServiceClient) {
    super(network, 'router', 'floatingips', 'floatingip', 'floatingIps', floatingIpRecord);
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
