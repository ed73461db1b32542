export interface ServerRecord {
  id: string;
  name: string;
  /** `ACTIVE`, `BUILD`, `ERROR`, `SHUTOFF`, …; `UNKNOWN`, with most fields absent, while its cell is down. */
  status: string;
  tenant_id: string;
  user_id: string;
  metadata: Record<string, string>;
  hostId: string;
  /** An empty string if the server was booted from a volume. */
  image: { id: string; links?: unknown[] } | '';
  flavor: ServerFlavor;
  created: string;
  updated: string;
  addresses: Record<string, ServerAddress[]>;
  key_name: string | null;
  description: string | null;
  tags: string[];
  locked: boolean;
  locked_reason: string | null;
  progress?: number;
  config_drive: string;
  /** Absent while the server has none. */
  security_groups?: { name: string }[];
  /** Present only in the states `ERROR` and `DELETED`; `details` only for administrators. */
  fault?: { code: number; message: string; created: string; details?: string };
  'OS-EXT-AZ:availability_zone': string;
  'OS-EXT-STS:task_state': string | null;
  'OS-EXT-STS:vm_state': string;
  'OS-EXT-STS:power_state': number;
  'OS-SRV-USG:launched_at': string | null;
  'OS-SRV-USG:terminated_at': string | null;
  'os-extended-volumes:volumes_attached': { id: string; delete_on_termination: boolean }[];
  /** By default visible to administrators only. */
  host_status?: string;
  'OS-EXT-SRV-ATTR:host'?: string | null;
  'OS-EXT-SRV-ATTR:hypervisor_hostname'?: string | null;
  'OS-EXT-SRV-ATTR:instance_name'?: string;
}

/** The flavor when the server was created; without its id since microversion 2.47. */
export interface ServerFlavor {
  original_name: string;
  vcpus: number;
  ram: number;
  disk: number;
  ephemeral: number;
  swap: number;
  extra_specs?: Record<string, string>;
}

export interface ServerAddress {
  version: 4 | 6;
  addr: string;
  'OS-EXT-IPS:type': 'fixed' | 'floating';
  'OS-EXT-IPS-MAC:mac_addr': string;
}

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

export interface CreatedServer {
  id: string;
  /** A secret. */
  adminPass?: string;
}

export interface RemoteConsole {
  type: string;
  protocol: string;
  url: string;
}
