import { isKept, isRestored, JOB_METADATA_KEY, toTimestamp } from '@gateway/core';
import {
  attachmentsOf,
  type BoundClient,
  describeAttached,
  knownMarks,
  nullIfNotFound,
  type ProjectClient,
  type VolumeRecord,
} from '@gateway/openstack';
import { EVERYWHERE, type ResourceKind } from './kind.ts';
import { bestFirst, type JobMark } from './mark.ts';
import { type MarkedResource, marked, markOfMetadata } from './marked-resource.ts';
import { isGone, isStuck, type RemovalOptions, type RemovalRights } from './removal.ts';

export const volume = {
  poll: [0.5, 2],
  leftovers: {
    resource: 'volume',
    service: 'blockStorage',
    list: ({ blockStorage }, each) =>
      blockStorage.volumes.listAs((one) => each(toMarkedVolume(one)), EVERYWHERE),
    get: async ({ blockStorage }, id) => toMarkedVolume(await blockStorage.volumes.get(id)),
    remove: (rights, { id }, within) => removeVolume(rights, id, within('volumeSeconds')),
  },
} as const satisfies ResourceKind;

/** The volumes of this name that the job has created, without those that restores have given its mark. */
export async function findVolumes(
  { blockStorage }: BoundClient,
  name: string,
  { jobId, projectId }: JobMark,
): Promise<VolumeRecord[]> {
  const volumes = await blockStorage.volumes.listByName(name);
  // A volume without a project comes from a list of this project's volumes only.
  const isMade = (one: VolumeRecord) =>
    (one['os-vol-tenant-attr:tenant_id'] ?? projectId) === projectId &&
    knownMarks('blockStorage', one)[JOB_METADATA_KEY] === jobId &&
    !isRestored(one);
  return bestFirst(volumes.filter(isMade), ({ created_at }) => created_at);
}

/** States of a volume in transition, and states in which it is in use. */
const BUSY_VOLUME =
  /^(attaching|detaching|maintenance|extending|retyping|uploading|downloading|awaiting-transfer)$/;
const BUSY_WITH_COPIES = /^(restoring-backup|backing-up|managing)$/;

export function toMarkedVolume(record: VolumeRecord): MarkedResource {
  const { id, metadata, name } = record;
  return marked('volume', markOfMetadata(metadata), {
    id,
    name,
    projectId: record['os-vol-tenant-attr:tenant_id'] ?? '',
    createdAt: toTimestamp(record.created_at),
    use: useOfVolume(record),
    isKept: isKept(record),
    isRestored: isRestored(record),
    serverIds: (record.attachments ?? []).flatMap(({ server_id }) => server_id ?? []),
  });
}

function useOfVolume(record: VolumeRecord): string | null {
  const { status } = record;
  if (BUSY_VOLUME.test(status) || BUSY_WITH_COPIES.test(status)) return `Its state is ${status}.`;
  const attachments = attachmentsOf(record);
  if (attachments === null) return 'The service does not say what it is attached to.';
  const host = attachments.find(({ server_id }) => server_id === null);
  return host === undefined ? null : `It is attached to ${describeAttached(host)}.`;
}

/**
 * With it, a volume into which somebody has restored a backup by now belongs to its user, and counts as
 * removed.
 */
export interface VolumeDeletion {
  /** If they are given, a volume that another server or a host has belongs to its user, too. */
  ownServerIds?: readonly string[];
}

/**
 * Deletes a volume, unless the deletion of its server has deleted it, or others have it by now.
 *
 * @param deletion the instance or cluster that the volume is deleted with; without one it is deleted whatever
 * it is used for
 */
export async function removeVolume(
  rights: RemovalRights,
  id: string,
  options: RemovalOptions,
  deletion?: VolumeDeletion,
): Promise<void> {
  const { blockStorage, polls } = rights.remover();
  const { volumes } = blockStorage;
  const record = await nullIfNotFound(volumes.get(id));
  if (record === null) return;
  if (deletion !== undefined && isRestored(record)) return;
  const ownServerIds = deletion?.ownServerIds;
  if (TIED.includes(record.status)) {
    const users = await releaseFromGoneServers(rights.remover(), id);
    if (ownServerIds !== undefined && users.some((user) => !ownServerIds.includes(user))) return;
  }
  const force = isStuck(record, options) ? await rights.forcer() : null;
  const removal =
    force === null ? () => volumes.remove(id) : () => force.blockStorage.volumes.forceDelete(id);
  if (record.status !== 'deleting' && (await isGone(removal()))) return;
  await polls.waitForGone('volume', id, {
    ...options,
    describe: 'The volume',
    failedStates: ['error_deleting'],
  });
}

const TIED = ['reserved', 'attaching', 'detaching', 'in-use'];

/**
 * A server that is deleted before its placement on a host can leave its volumes reserved forever.
 *
 * @returns the ids of the servers that have the volume, and an empty text for a host
 */
async function releaseFromGoneServers(
  { blockStorage, compute }: ProjectClient,
  volumeId: string,
): Promise<string[]> {
  const users: string[] = [];
  for (const { id, instance } of await blockStorage.attachments.listByVolume(volumeId)) {
    const isOrphaned = instance !== null && (await nullIfNotFound(compute.servers.get(instance))) === null;
    if (isOrphaned) await isGone(blockStorage.attachments.remove(id));
    else users.push(instance ?? '');
  }
  return users;
}
