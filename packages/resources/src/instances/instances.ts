import { JOB_METADATA_KEY, toTimestamp } from '@gateway/core';
import { gpusHeldBy } from '@gateway/inventory';
import { parseOverlayMetadata } from '@gateway/libraries';
import type { ServerRecord, VolumeRecord } from '@gateway/openstack';
import { instanceActions } from '../actions/instance-actions.ts';
import { managerOfInstance } from '../actions/managed-by.ts';
import { type Actor, allowedActions } from '../actions/rule.ts';
import type { Flavor } from '../flavors/flavor-shape.ts';
import type { Image } from '../images/image-shape.ts';
import { markTransition } from '../transitions/in-transition.ts';
import { isInstanceInTransition } from '../transitions/states-in-transition.ts';
import type { InstanceAddress } from './addresses-shape.ts';
import type { Instance, InstanceDetail } from './instance-shape.ts';

/** Lookups of data that is not in a server's record, built once for a whole list. */
export interface RelatedRecords {
  /**
   * By name. From microversion 2.47 on, a server's record contains the name of its flavor and not
   * the id. Names are unique in a cloud. The id is null for a flavor that was deleted, also if another one
   * has its name by now, and for one that the project cannot see.
   */
  flavors: ReadonlyMap<string, Flavor>;
  imageNames: ReadonlyMap<string, string>;
  volumes: ReadonlyMap<string, VolumeImage>;
}

/** The image from which a volume was created, if any. */
export type VolumeImage = Pick<VolumeRecord, 'id' | 'volume_image_metadata'> & { name?: string };

/** An instance without the data of other services. */
interface PartialInstance {
  instance: Instance;
  /** Null for a server that booted from a volume. */
  imageId: string | null;
  volumeIds: string[];
}

export function indexRelatedRecords({
  flavors,
  images = [],
  volumes = [],
}: {
  flavors: readonly Flavor[];
  images?: readonly Image[];
  volumes?: readonly VolumeImage[];
}): RelatedRecords {
  return {
    flavors: new Map(flavors.map((flavor) => [flavor.name, flavor])),
    imageNames: new Map(images.map(({ id, name }) => [id, name])),
    volumes: new Map(volumes.map((volume) => [volume.id, volume])),
  };
}

export function presentInstance(server: ServerRecord, related: RelatedRecords, actor: Actor): Instance {
  return completeInstance(presentWithoutRelated(server, actor), related);
}

/** The first half of `presentInstance`. With it, long lists need not keep the servers' records in memory. */
export function presentWithoutRelated(server: ServerRecord, actor: Actor): PartialInstance {
  const metadata = server.metadata ?? {};
  const overlay = parseOverlayMetadata(metadata);
  const instance: Instance = {
    id: server.id,
    name: server.name,
    status: server.status,
    task_state: server['OS-EXT-STS:task_state'],
    image_id: null,
    image_name: null,
    flavor_id: null,
    flavor_name: server.flavor.original_name,
    vcpus: server.flavor.vcpus,
    ram: server.flavor.ram,
    disk: server.flavor.disk,
    gpu_count: gpusHeldBy(server),
    ip_addresses: addressesOf(server),
    created_at: toTimestamp(server.created),
    metadata,
    key_name: server.key_name,
    user_id: server.user_id,
    user_name: null,
    overlay_libraries: overlay.libraries,
    overlay_strategy: overlay.strategy,
    overlay_share_ids: overlay.shareIds,
    overlay_upper_volume_id: overlay.upperVolumeId,
    overlay_upper_volume_name: null,
    workspace: null,
    managed_by: managerOfInstance(server),
    allowed_actions: allowedActions(instanceActions, server, actor),
    ...markServerTransition(server),
  };
  return {
    instance,
    imageId: server.image?.id ?? null,
    volumeIds: server['os-extended-volumes:volumes_attached'].map(({ id }) => id),
  };
}

/** The second half: adds flavor and image to the instance, and returns it. */
export function completeInstance(partial: PartialInstance, related: RelatedRecords): Instance {
  const { instance } = partial;
  const image = imageOf(partial, related);
  return Object.assign(instance, {
    image_id: image?.id ?? null,
    image_name: image?.name ?? null,
    flavor_id: flavorOf(instance, related)?.id ?? null,
    overlay_upper_volume_name: related.volumes.get(instance.overlay_upper_volume_id ?? '')?.name ?? null,
  });
}

function flavorOf({ disk, flavor_name, ram, vcpus }: Instance, { flavors }: RelatedRecords): Flavor | null {
  const flavor = flavors.get(flavor_name);
  const isSame = flavor?.vcpus === vcpus && flavor.ram === ram && flavor.disk === disk;
  return flavor !== undefined && isSame ? flavor : null;
}

export function presentInstanceDetail(
  server: ServerRecord,
  related: RelatedRecords,
  actor: Actor,
): InstanceDetail {
  const { fault } = server;
  const volumeIds = server['os-extended-volumes:volumes_attached'].map(({ id }) => id);
  return {
    ...presentInstance(server, related, actor),
    project_id: server.tenant_id,
    project_name: null,
    availability_zone: server['OS-EXT-AZ:availability_zone'],
    host_status: server.host_status || null,
    power_state: server['OS-EXT-STS:power_state'],
    updated_at: toTimestamp(server.updated),
    launched_at: toTimestamp(server['OS-SRV-USG:launched_at']),
    fault: fault && { code: fault.code, message: fault.message },
    security_groups: [...new Set(server.security_groups.map(({ name }) => name))],
    volume_ids: volumeIds,
    volume_names: volumeIds.map(() => null),
    job_id: server.metadata?.[JOB_METADATA_KEY] ?? null,
    locked: server.locked,
    locked_reason: server.locked_reason,
  };
}

/** The part of an instance's row that marks its state. */
export function markServerTransition(server: ServerRecord) {
  const { created, status, updated, 'OS-EXT-STS:task_state': task_state = null } = server;
  const state = `${status} ${task_state ?? ''}`;
  return markTransition(isInstanceInTransition({ status, task_state }), state, {
    changedAt: updated,
    createdAt: created,
  });
}

/** A server that booted from a volume has no image of its own. The volume's metadata contains the image. */
function imageOf(
  { imageId, volumeIds }: PartialInstance,
  { imageNames, volumes }: RelatedRecords,
): { id: string; name: string | null } | null {
  if (imageId !== null) return { id: imageId, name: imageNames.get(imageId) ?? null };
  for (const id of volumeIds) {
    const metadata = volumes.get(id)?.volume_image_metadata;
    if (metadata?.image_id !== undefined) {
      return { id: metadata.image_id, name: metadata.image_name ?? null };
    }
  }
  return null;
}

export function addressesOf(server: Pick<ServerRecord, 'addresses'>): InstanceAddress[] {
  return Object.entries(server.addresses).flatMap(([networkName, addresses]) =>
    addresses.map((address) => ({
      addr: address.addr,
      type: address['OS-EXT-IPS:type'],
      network_name: networkName,
    })),
  );
}
