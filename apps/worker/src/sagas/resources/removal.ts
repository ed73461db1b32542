import { conflict, toMilliseconds } from '@gateway/core';
import {
  type BoundClient,
  isBeingDeleted,
  nullIfNotFound,
  type ProjectClient,
  type WaitOptions,
  waitFor,
} from '@gateway/openstack';

/**
 * Removals can be repeated: a resource that is gone, or is being deleted, counts as removed. So does a
 * resource that belongs to another project by now, because the client of the job's project cannot find it.
 */

export interface RemovalOptions extends Omit<WaitOptions, 'describe'> {
  /** A resource that has been in creation for longer than this is stuck. */
  stuckAfterMs: number;
}

export async function removeServer(
  { compute, polls }: ProjectClient,
  id: string,
  options: RemovalOptions,
): Promise<void> {
  const { servers } = compute;
  await polls.waitFor(
    'server',
    id,
    async (read) => {
      const server = await nullIfNotFound(read());
      if (server === null || server.status === 'DELETED') return true;
      // Some clouds only mark the server as deleted, and keep its resources for a while.
      if (server.status === 'SOFT_DELETED') await isGone(servers.forceDelete(id));
      else if (!isBeingDeleted(server)) await isGone(servers.remove(id));
      return undefined;
    },
    { ...options, describe: 'The server' },
  );
}

/** The rights that a removal may use. */
export interface RemovalRights {
  /** The job's owner, or an identity acting as the owner. */
  remover(): ProjectClient;
  /** The client that may force a deletion; null when there is none. */
  forcer(): Promise<ProjectClient | null>;
}

/** Deletes a volume, unless the deletion of its server has deleted it. */
export async function removeVolume(
  rights: RemovalRights,
  id: string,
  options: RemovalOptions,
): Promise<void> {
  const { blockStorage, polls } = rights.remover();
  const { volumes } = blockStorage;
  const volume = await nullIfNotFound(volumes.get(id));
  if (volume === null) return;
  if (TIED.includes(volume.status)) await releaseFromGoneServers(rights.remover(), id);
  const force = isStuck(volume, options) ? await rights.forcer() : null;
  const removal =
    force === null ? () => volumes.remove(id) : () => force.blockStorage.volumes.forceDelete(id);
  if (volume.status !== 'deleting' && (await isGone(removal()))) return;
  await polls.waitForGone('volume', id, {
    ...options,
    describe: 'The volume',
    failedStates: ['error_deleting'],
  });
}

const TIED = ['reserved', 'attaching', 'detaching', 'in-use'];

/** A server that is deleted before its placement on a host can leave its volumes reserved forever. */
async function releaseFromGoneServers(
  { blockStorage, compute }: ProjectClient,
  volumeId: string,
): Promise<void> {
  for (const { id, instance } of await blockStorage.attachments.listByVolume(volumeId)) {
    const isOrphaned = instance !== null && (await nullIfNotFound(compute.servers.get(instance))) === null;
    if (isOrphaned) await isGone(blockStorage.attachments.remove(id));
  }
}

export async function removeShare(rights: RemovalRights, id: string, options: RemovalOptions): Promise<void> {
  const { polls, sharedFileSystem } = rights.remover();
  const { shares } = sharedFileSystem;
  const share = await nullIfNotFound(shares.get(id));
  if (share === null) return;
  const force = isStuck(share, options) ? await rights.forcer() : null;
  const removal =
    force === null ? () => shares.remove(id) : () => force.sharedFileSystem.shares.forceDelete(id);
  if (share.status !== 'deleting' && (await isGone(removal()))) return;
  await polls.waitForGone('share', id, {
    ...options,
    describe: 'The share',
    failedStates: ['error_deleting'],
  });
}

/**
 * Not limited to the job's project: the share may belong to another project, which has the library. A rule
 * never moves to another share.
 */
export async function removeAccessRule(
  { sharedFileSystem }: BoundClient,
  { shareId, ruleId }: { shareId: string; ruleId: string },
  options: RemovalOptions,
): Promise<void> {
  const { accessRules } = sharedFileSystem;
  if (await isGone(accessRules.deny(shareId, ruleId))) return;
  await waitFor(
    async () => {
      const rules = (await nullIfNotFound(accessRules.list(shareId))) ?? [];
      return rules.some(({ id }) => id === ruleId) ? undefined : true;
    },
    { ...options, describe: 'The access rule' },
  );
}

/** @throws an `isStale` error if the record does not have the revision `ifRevision` */
export async function removeFloatingIp(
  { network }: ProjectClient,
  id: string,
  ifRevision?: number | null,
): Promise<void> {
  await isGone(network.floatingIps.remove(id, ifRevision));
}

/** @throws an `isStale` error if the record does not have the revision `ifRevision` */
export async function removePort(
  { network }: ProjectClient,
  id: string,
  ifRevision?: number | null,
): Promise<void> {
  await isGone(network.ports.remove(id, ifRevision));
}

export async function removeImage({ image }: ProjectClient, id: string): Promise<void> {
  await isGone(image.images.remove(id));
}

export async function removeSecurityGroup({ network }: ProjectClient, id: string): Promise<void> {
  await isGone(network.securityGroups.remove(id));
}

/**
 * Access rules by address would apply to the next server with that address, so the port is deleted after
 * them.
 */
export function portStillGranted(): Error {
  return conflict('The port is kept until no share grants access to its address.');
}

/**
 * Whether the resource is in a state that does not change by itself and in which the service refuses an
 * ordinary delete: a failed deletion, or a creation that takes longer than it should.
 */
function isStuck(
  { status, created_at }: { status: string; created_at: string },
  { stuckAfterMs }: RemovalOptions,
): boolean {
  if (status === 'error_deleting') return true;
  return status === 'creating' && Date.now() - (toMilliseconds(created_at) ?? Date.now()) > stuckAfterMs;
}

/** True when the service answers 404. */
async function isGone(removal: Promise<void>): Promise<boolean> {
  return (await nullIfNotFound(removal.then(() => 'taken' as const))) === null;
}
