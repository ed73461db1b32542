import { z } from 'zod';
import {
  flag,
  integerOr,
  item,
  key,
  listOf,
  mapOf,
  mapOrNull,
  part,
  partOrNull,
  text,
  textOrNull,
} from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';

const address = item({
  addr: key(),
  version: integerOr(4),
  'OS-EXT-IPS:type': z.enum(['fixed', 'floating']).catch('fixed'),
  'OS-EXT-IPS-MAC:mac_addr': text(),
});

/** While the cell of a server is down, the service sends little more than its id and project. */
export const serverRecord = declareRecord('compute', 'server', {
  id: key(),
  name: text(),
  /** `ACTIVE`, `BUILD`, `ERROR`, `SHUTOFF`, …; `UNKNOWN` while its cell is down. */
  status: text('UNKNOWN'),
  tenant_id: text(),
  user_id: text(),
  /** Null if the service does not say it: then the server may have any mark. */
  metadata: mapOrNull(z.string()),
  /** An empty string for a server that was never placed; null if the service does not say it. */
  hostId: textOrNull(),
  /** Null if the server was booted from a volume. */
  image: partOrNull({ id: key() }),
  /** The flavor when the server was created; without its id since microversion 2.47. */
  flavor: part({
    original_name: text(),
    vcpus: integerOr(0),
    ram: integerOr(0),
    disk: integerOr(0),
    ephemeral: integerOr(0),
    swap: integerOr(0),
    extra_specs: mapOf(z.string()),
  }),
  created: text(),
  updated: text(),
  addresses: mapOf(listOf(address)),
  key_name: textOrNull(),
  description: textOrNull(),
  tags: listOf(key()),
  locked: flag(false),
  locked_reason: textOrNull(),
  config_drive: text(),
  security_groups: listOf(item({ name: key() })),
  /** Only in the states `ERROR` and `DELETED`; `details` only for administrators. */
  fault: partOrNull({ code: integerOr(0), message: text(), created: text(), details: textOrNull() }),
  'OS-EXT-AZ:availability_zone': text(),
  'OS-EXT-STS:task_state': textOrNull(),
  'OS-EXT-STS:vm_state': text(),
  'OS-EXT-STS:power_state': integerOr(0),
  'OS-SRV-USG:launched_at': textOrNull(),
  'OS-SRV-USG:terminated_at': textOrNull(),
  'os-extended-volumes:volumes_attached': listOf(item({ id: key(), delete_on_termination: flag(false) })),
  /** By default visible to administrators only, as the next three. */
  host_status: textOrNull(),
  'OS-EXT-SRV-ATTR:host': textOrNull(),
  'OS-EXT-SRV-ATTR:hypervisor_hostname': textOrNull(),
  'OS-EXT-SRV-ATTR:instance_name': textOrNull(),
});

export type ServerRecord = RecordOf<typeof serverRecord>;
export type ServerFlavor = ServerRecord['flavor'];
export type ServerAddress = z.output<typeof address>;

export type ServerQuery = {
  /** A regular expression that matches anywhere in the name. */
  name?: string;
  status?: string;
  /** For administrators: 1 lists all projects. */
  all_tenants?: 1;
  /** With `all_tenants`. */
  project_id?: string;
  host?: string;
  user_id?: string;
  tags?: string;
};

export interface ServerCreate {
  name: string;
  flavorRef: string;
  imageRef?: string;
  networks: { uuid?: string; port?: string; fixed_ip?: string }[] | 'auto' | 'none';
  block_device_mapping_v2?: BlockDevice[];
  key_name?: string;
  availability_zone?: string;
  security_groups?: { name: string }[];
  metadata?: Record<string, string>;
  /** Base64. */
  user_data?: string;
  adminPass?: string;
  config_drive?: boolean;
  description?: string;
  tags?: string[];
  /** The scheduler places the server as the policy of this group says. */
  serverGroupId?: string;
}

export interface BlockDevice {
  boot_index: number;
  uuid?: string;
  source_type: 'volume' | 'image' | 'snapshot' | 'blank';
  destination_type: 'volume' | 'local';
  delete_on_termination: boolean;
  volume_size?: number;
  volume_type?: string;
  device_name?: string;
  tag?: string;
}

export const createdServer = declareRecord('compute', 'created_server', {
  id: key(),
  /** A secret. */
  adminPass: textOrNull(),
});

export type CreatedServer = RecordOf<typeof createdServer>;

export const remoteConsole = declareRecord('compute', 'remote_console', {
  url: key(),
  type: text(),
  protocol: text(),
});

export type RemoteConsole = RecordOf<typeof remoteConsole>;
