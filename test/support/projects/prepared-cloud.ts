import { randomUUID } from 'node:crypto';
import type { CloudClient } from '../clients/cloud-client.ts';
import { eventually } from '../eventually.ts';

type Named<List extends string> = Record<List, { id: string; name: string }[]>;

/** A prepared resource, with a function that removes it. */
export interface Prepared {
  id: string;
  remove(): Promise<void>;
}

/** Removes a resource that cannot be removed before another one. */
export async function removeWhenUnused(resource: Prepared | undefined): Promise<void> {
  await eventually(async () => {
    await resource?.remove();
    return true;
  });
}

const LIBRARY = { id: 'python311', version: '3.11' };

/** The library that has a prebuilt share in the tests: configured so, whatever the catalogue ships. */
export const testLibraries = [
  { id: LIBRARY.id, name: 'Python 3.11', version: LIBRARY.version, packages: [], depends_on: [] },
  { id: 'numerics', name: 'Numerics', version: '1', packages: ['numpy'], depends_on: [LIBRARY.id] },
];

interface PrebuiltShare {
  library: { id: string; version: string };
  protocol: 'CEPHFS' | 'NFS';
  shareType: string;
  /** The recorded packages, as `numpy==2.2.1,pandas==2.2.3`. */
  packages?: string;
}

const LIBRARY_SHARE: PrebuiltShare = { library: LIBRARY, protocol: 'CEPHFS', shareType: 'cephfs' };

/** A public share that is the prebuilt share of a library; requires an administrator. */
export async function preparePrebuiltShare(
  admin: CloudClient,
  { library, protocol, shareType, packages }: PrebuiltShare = LIBRARY_SHARE,
): Promise<Prepared> {
  const { share } = await admin.call<{ share: { id: string } }>('sharev2', 'POST', '/shares', {
    share: {
      name: `prebuilt-${randomUUID()}`,
      share_proto: protocol,
      share_type: shareType,
      size: 1,
      is_public: true,
      metadata: {
        overlay_type: 'prebuilt',
        overlay_library: library.id,
        overlay_version: library.version,
        overlay_status: 'ready',
        ...(packages !== undefined && { overlay_packages: packages }),
      },
    },
  });
  await eventually(async () => {
    const answer = await admin.call<{ share: { status: string } }>('sharev2', 'GET', `/shares/${share.id}`);
    return answer.share.status === 'available';
  });
  return {
    id: share.id,
    remove: () => admin.call('sharev2', 'DELETE', `/shares/${share.id}`, undefined, [404]),
  };
}

/** A public flavor that is too large for all hosts. */
export async function prepareHugeFlavor(admin: CloudClient): Promise<Prepared> {
  const ramMb = 8_000_000;
  const { flavor } = await admin.call<{ flavor: { id: string } }>('compute', 'POST', '/flavors', {
    flavor: { name: `huge-${randomUUID()}`, ram: ramMb, vcpus: 1, disk: 1 },
  });
  return {
    id: flavor.id,
    remove: () => admin.call('compute', 'DELETE', `/flavors/${flavor.id}`, undefined, [404]),
  };
}

/**
 * A network without external access, in the project of `cloud`. With `only`, of 10.88.0.0/24, its subnet has
 * no other address to allocate.
 */
export async function prepareNetwork(
  cloud: CloudClient,
  name: string,
  { only, hasSubnet = true }: { only?: string; hasSubnet?: boolean } = {},
): Promise<Prepared> {
  const { network } = await cloud.call<{ network: { id: string } }>('network', 'POST', '/v2.0/networks', {
    network: { name },
  });
  const subnet = {
    network_id: network.id,
    cidr: '10.88.0.0/24',
    ip_version: 4,
    ...(only !== undefined && { allocation_pools: [{ start: only, end: only }] }),
  };
  if (hasSubnet) await cloud.call('network', 'POST', '/v2.0/subnets', { subnet });
  return {
    id: network.id,
    remove: () => cloud.call('network', 'DELETE', `/v2.0/networks/${network.id}`, undefined, [404]),
  };
}

/** An active image of the client's project with next to no data. Memory in MB, disk in GB. */
export async function prepareImage(
  cloud: CloudClient,
  {
    minRam = 0,
    minDisk = 0,
    visibility = 'private',
    properties = {},
  }: { minRam?: number; minDisk?: number; visibility?: string; properties?: Record<string, string> },
): Promise<Prepared & { name: string }> {
  const name = `prepared-${randomUUID()}`;
  const { id } = await cloud.call<{ id: string }>('image', 'POST', '/v2/images', {
    ...properties,
    name,
    visibility,
    min_ram: minRam,
    min_disk: minDisk,
    disk_format: 'raw',
    container_format: 'bare',
  });
  await cloud.upload('image', `/v2/images/${id}/file`, '{}');
  return { id, name, remove: () => cloud.call('image', 'DELETE', `/v2/images/${id}`, undefined, [404]) };
}

/** A role in a project, until it is removed. */
export async function prepareRole(
  admin: CloudClient,
  { userId, projectId, role }: { userId: string; projectId: string; role: string },
): Promise<Prepared> {
  const { roles } = await admin.call<{ roles: { id: string }[] }>('identity', 'GET', `/roles?name=${role}`);
  const id = roles[0]?.id ?? '';
  const path = `/projects/${projectId}/users/${userId}/roles/${id}`;
  await admin.call('identity', 'PUT', path);
  return { id, remove: () => admin.call('identity', 'DELETE', path, undefined, [404]) };
}

/** A server of this image or a usual one, on this network or on none, not created by the gateway. */
export async function prepareServer(
  cloud: CloudClient,
  { imageId, networkId }: { imageId?: string; networkId?: string | undefined } = {},
): Promise<Prepared> {
  const { flavors } = await cloud.call<Named<'flavors'>>('compute', 'GET', '/flavors');
  const flavorRef = flavors.find(({ name }) => name === 'm1.tiny')?.id;
  const { images } = await cloud.call<Named<'images'>>('image', 'GET', '/v2/images');
  const imageRef = imageId ?? images.find(({ name }) => name === 'debian-12')?.id;
  const { server } = await cloud.call<{ server: { id: string } }>('compute', 'POST', '/servers', {
    server: {
      name: `beside-${randomUUID()}`,
      flavorRef,
      imageRef,
      networks: networkId === undefined ? 'none' : [{ uuid: networkId }],
    },
  });
  const path = `/servers/${server.id}`;
  await eventually(async () => {
    const answer = await cloud.call<{ server: { status: string } }>('compute', 'GET', path);
    return answer.server.status === 'ACTIVE';
  });
  return {
    id: server.id,
    async remove() {
      await cloud.call('compute', 'DELETE', path, undefined, [404]);
      await eventually(async () => {
        const answer = await cloud.call<{ server?: unknown }>('compute', 'GET', path, undefined, [404]);
        return answer.server === undefined;
      });
    },
  };
}
