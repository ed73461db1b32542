import { toTimestamp } from '@gateway/core';
import { parseOverlayMetadata } from '@gateway/libraries';
import type { ServerRecord, VolumeRecord } from '@gateway/openstack';
import type { Flavor } from './flavors.ts';
import type { Image } from './images.ts';

/** The job that made a server, in the server's metadata. */
export const JOB_METADATA_KEY = 'gateway_job_id';

export interface InstanceAddress {
  addr: string;
  type: 'fixed' | 'floating';
  network_name: string;
}

export interface Instance {
  id: string;
  name: string;
  status: string;
  /** What the compute service is doing with it, as `deleting`; null for nothing. */
  task_state: string | null;
  image_id: string | null;
  image_name: string | null;
  flavor_id: string | null;
  flavor_name: string;
  ip_addresses: InstanceAddress[];
  created_at: string | null;
  metadata: Record<string, string>;
  key_name: string | null;
  user_id: string;
  overlay_libraries: string[];
  overlay_strategy: 'prebuilt' | 'dynamic' | null;
  overlay_share_ids: string[];
  overlay_upper_volume_id: string | null;
}

export interface InstanceDetail extends Instance {
  project_id: string;
  availability_zone: string;
  host_status: string | null;
  power_state: number;
  updated_at: string | null;
  launched_at: string | null;
  vcpus: number;
  /** MB. */
  ram: number;
  /** GB. */
  disk: number;
  fault: { code: number; message: string } | null;
  security_groups: string[];
  volume_ids: string[];
  job_id: string | null;
}

/** What a server's record does not tell by itself, looked up once for a whole list. */
export interface InstanceSurroundings {
  flavorIds: ReadonlyMap<string, string>;
  imageNames: ReadonlyMap<string, string>;
  volumes: ReadonlyMap<string, VolumeRecord>;
}

export function surroundingsOf(
  flavors: readonly Flavor[],
  images: readonly Image[],
  volumes: readonly VolumeRecord[],
): InstanceSurroundings {
  return {
    flavorIds: new Map(flavors.map(({ name, id }) => [name, id])),
    imageNames: new Map(images.map(({ id, name }) => [id, name])),
    volumes: new Map(volumes.map((volume) => [volume.id, volume])),
  };
}

export function presentInstance(record: ServerRecord, surroundings: InstanceSurroundings): Instance {
  const server = completed(record);
  const overlay = parseOverlayMetadata(server.metadata);
  const image = imageOf(server, surroundings);
  return {
    id: server.id,
    name: server.name,
    status: server.status,
    task_state: server['OS-EXT-STS:task_state'] ?? null,
    image_id: image?.id ?? null,
    image_name: image?.name ?? null,
    flavor_id: surroundings.flavorIds.get(server.flavor.original_name) ?? null,
    flavor_name: server.flavor.original_name,
    ip_addresses: addressesOf(server),
    created_at: toTimestamp(server.created),
    metadata: server.metadata,
    key_name: server.key_name,
    user_id: server.user_id,
    overlay_libraries: overlay.libraries,
    overlay_strategy: overlay.strategy,
    overlay_share_ids: overlay.shareIds,
    overlay_upper_volume_id: overlay.upperVolumeId,
  };
}

export function presentInstanceDetail(
  record: ServerRecord,
  surroundings: InstanceSurroundings,
): InstanceDetail {
  const server = completed(record);
  const { fault, flavor } = server;
  return {
    ...presentInstance(server, surroundings),
    project_id: server.tenant_id,
    availability_zone: server['OS-EXT-AZ:availability_zone'] ?? '',
    host_status: server.host_status || null,
    power_state: server['OS-EXT-STS:power_state'] ?? 0,
    updated_at: toTimestamp(server.updated),
    launched_at: toTimestamp(server['OS-SRV-USG:launched_at']),
    vcpus: flavor.vcpus,
    ram: flavor.ram,
    disk: flavor.disk,
    fault: fault === undefined ? null : { code: fault.code, message: fault.message },
    security_groups: [...new Set((server.security_groups ?? []).map(({ name }) => name))],
    volume_ids: server['os-extended-volumes:volumes_attached'].map(({ id }) => id),
    job_id: server.metadata[JOB_METADATA_KEY] ?? null,
  };
}

const CHANGING_STATUSES = new Set([
  'BUILD',
  'HARD_REBOOT',
  'MIGRATING',
  'PASSWORD',
  'REBOOT',
  'REBUILD',
  'RESIZE',
  'REVERT_RESIZE',
]);

export function isInstanceInTransition({ status, task_state }: Instance): boolean {
  return task_state !== null || CHANGING_STATUSES.has(status);
}

/** While a server's cell is down the compute service tells its id, its project and hardly anything else. */
function completed(server: ServerRecord): ServerRecord {
  return { ...UNTOLD, ...server };
}

const UNTOLD = {
  name: '',
  user_id: '',
  metadata: {},
  image: '' as const,
  flavor: { original_name: '', vcpus: 0, ram: 0, disk: 0, ephemeral: 0, swap: 0 },
  addresses: {},
  key_name: null,
  'os-extended-volumes:volumes_attached': [],
};

/** A server booted from a volume has no image of its own: the volume remembers what it was made from. */
function imageOf(
  server: ServerRecord,
  { imageNames, volumes }: InstanceSurroundings,
): { id: string; name: string | null } | null {
  if (server.image !== '') return { id: server.image.id, name: imageNames.get(server.image.id) ?? null };
  for (const { id } of server['os-extended-volumes:volumes_attached']) {
    const metadata = volumes.get(id)?.volume_image_metadata;
    if (metadata?.image_id !== undefined) {
      return { id: metadata.image_id, name: metadata.image_name ?? null };
    }
  }
  return null;
}

function addressesOf(server: ServerRecord): InstanceAddress[] {
  return Object.entries(server.addresses).flatMap(([networkName, addresses]) =>
    addresses.map((address) => ({
      addr: address.addr,
      type: address['OS-EXT-IPS:type'],
      network_name: networkName,
    })),
  );
}
