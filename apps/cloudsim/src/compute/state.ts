export interface Flavor {
  id: string;
  name: string;
  vcpus: number;
  ramMb: number;
  diskGb: number;
  isPublic: boolean;
  description: string | null;
  extraSpecs: Record<string, string>;
  /** Projects that may use a private flavor. */
  access: Set<string>;
}

export interface KeyPair {
  name: string;
  userId: string;
  type: string;
  publicKey: string;
  fingerprint: string;
  createdMs: number;
  number: number;
}

export interface ServerVolume {
  volumeId: string;
  device: string;
  deleteOnTermination: boolean;
  attachmentId: string | null;
  mappingId: string;
  tag: string | null;
}

/** A requested network interface: an existing port, or a new port on the network. */
export interface RequestedNic {
  networkId: string;
  portId: string | null;
  address: string | null;
}

export interface Server {
  id: string;
  number: number;
  name: string;
  projectId: string;
  userId: string;
  status: string;
  vmState: string;
  taskState: string | null;
  powerState: number;
  metadata: Record<string, string>;
  tags: string[];
  description: string | null;
  /** A copy of the flavor from when the server was created. */
  flavor: Flavor;
  imageId: string | null;
  keyName: string | null;
  userData: string | null;
  configDrive: boolean;
  zone: string;
  host: string | null;
  securityGroups: string[];
  nics: RequestedNic[];
  volumes: ServerVolume[];
  /** Ports created by the compute service, which deletes them with the server. */
  createdPorts: Set<string>;
  fault: { code: number; message: string; createdMs: number } | null;
  createdMs: number;
  updatedMs: number;
  launchedMs: number | null;
  /** The server group of its creation. */
  groupId: string | null;
  /** What a resized server was, until the resize is confirmed or reverted. */
  resizedFrom: { flavor: Flavor; host: string | null; vmState: string } | null;
  /** Only administrators can act on a locked server. */
  lock: { reason: string | null; byAdmin: boolean } | null;
}

export interface ServerGroup {
  id: string;
  name: string;
  policy: string;
  projectId: string;
  userId: string;
}

/** What usage reports need of a deleted server. */
export interface EndedServer {
  id: string;
  projectId: string;
  name: string;
  flavor: Flavor;
  launchedMs: number;
  endedMs: number;
}

export interface Host {
  id: string;
  serviceId: string;
  number: number;
  name: string;
  vcpus: number;
  ramMb: number;
  diskGb: number;
  /** Device counts, by the alias or resource class that flavors request. */
  devices: Record<string, number>;
  status: 'enabled' | 'disabled';
  disabledReason: string | null;
  /** An administrator has said that the host is down. */
  isForcedDown: boolean;
}

/** A move of a server to another host, or a resize. */
export interface Migration {
  number: number;
  id: string;
  serverId: string;
  projectId: string;
  userId: string;
  type: 'live-migration' | 'migration' | 'evacuation' | 'resize';
  status: string;
  /** Names of hosts. */
  source: string;
  destination: string | null;
  createdMs: number;
  updatedMs: number | null;
}

export interface ComputeState {
  flavors: Map<string, Flavor>;
  /** By user id, then name. */
  keyPairs: Map<string, Map<string, KeyPair>>;
  servers: Map<string, Server>;
  serverGroups: Map<string, ServerGroup>;
  endedServers: EndedServer[];
  hosts: Host[];
  /** The oldest first. */
  migrations: Migration[];
  quotas: Map<string, Record<string, number>>;
  lastNumber: number;
}

/** The kind of each collection for leak checks; null for what is not counted (`RecordKinds`). */
export const computeKinds = { flavors: null, servers: 'servers', serverGroups: null } as const;

export function emptyCompute(): ComputeState {
  return {
    flavors: new Map(),
    keyPairs: new Map(),
    servers: new Map(),
    serverGroups: new Map(),
    endedServers: [],
    hosts: [],
    migrations: [],
    quotas: new Map(),
    lastNumber: 0,
  };
}
