import { conflict, toTimestamp } from '@gateway/core';
import {
  type BoundClient,
  isNotFound,
  type ServerRecord,
  type WaitOptions,
  waitFor,
  waitForGone,
} from '@gateway/openstack';

/** Removals that may be repeated: what is gone already, or is just going, counts as removed. */

export interface RemovalOptions extends Omit<WaitOptions, 'describe'> {
  /** What has been changing its state for longer than this does not get further by itself. */
  stuckAfterMs: number;
}

export async function removeServer(
  { compute }: BoundClient,
  id: string,
  options: RemovalOptions,
): Promise<void> {
  const { servers } = compute;
  await waitFor(
    async () => {
      const server = await orNull(servers.get(id));
      if (server === null || server.status === 'DELETED') return true;
      // The service may only hold it back for a while, with everything it has.
      if (server.status === 'SOFT_DELETED') await isGone(servers.forceDelete(id));
      else if (!isBeingDeleted(server)) await isGone(servers.remove(id));
      return undefined;
    },
    { ...options, describe: 'The server' },
  );
}

export function isBeingDeleted(server: ServerRecord): boolean {
  return (server['OS-EXT-STS:task_state'] ?? '').includes('delet');
}

/** Whose rights a removal may use. */
export interface RemovalRights {
  /** The job's owner, or whoever stands in for him. */
  remover(): BoundClient;
  /** The gateway's own user, who may force what the owner may not; null when there is none. */
  service(): Promise<BoundClient | null>;
}

/** Deletes a volume, unless it went with its server. */
export async function removeVolume(
  rights: RemovalRights,
  id: string,
  options: RemovalOptions,
): Promise<void> {
  const { volumes } = rights.remover().blockStorage;
  const volume = await orNull(volumes.get(id));
  if (volume === null) return;
  if (TIED.includes(volume.status)) await releaseFromGoneServers(rights.remover(), id);
  const force = isStuck(volume, options) ? await rights.service() : null;
  const removal =
    force === null ? () => volumes.remove(id) : () => force.blockStorage.volumes.forceDelete(id);
  if (volume.status !== 'deleting' && (await isGone(removal()))) return;
  await waitForGone(
    () => volumes.get(id),
    ({ status }) => status,
    { ...options, describe: 'The volume', failedStates: ['error_deleting'] },
  );
}

const TIED = ['reserved', 'attaching', 'detaching', 'in-use'];

/** A server that was deleted before it had a host can leave its volumes reserved for it, for good. */
async function releaseFromGoneServers(
  { blockStorage, compute }: BoundClient,
  volumeId: string,
): Promise<void> {
  for (const { id, instance } of await blockStorage.attachments.listByVolume(volumeId)) {
    const isOrphaned = instance !== null && (await orNull(compute.servers.get(instance))) === null;
    if (isOrphaned) await isGone(blockStorage.attachments.remove(id));
  }
}

export async function removeShare(rights: RemovalRights, id: string, options: RemovalOptions): Promise<void> {
  const { shares } = rights.remover().sharedFileSystem;
  const share = await orNull(shares.get(id));
  if (share === null) return;
  const force = isStuck(share, options) ? await rights.service() : null;
  const removal =
    force === null ? () => shares.remove(id) : () => force.sharedFileSystem.shares.forceDelete(id);
  if (share.status !== 'deleting' && (await isGone(removal()))) return;
  await waitForGone(
    () => shares.get(id),
    ({ status }) => status,
    { ...options, describe: 'The share', failedStates: ['error_deleting'] },
  );
}

export async function removeAccessRule(
  { sharedFileSystem }: BoundClient,
  { shareId, ruleId }: { shareId: string; ruleId: string },
  options: RemovalOptions,
): Promise<void> {
  const { accessRules } = sharedFileSystem;
  if (await isGone(accessRules.deny(shareId, ruleId))) return;
  await waitFor(
    async () => {
      const rules = (await orNull(accessRules.list(shareId))) ?? [];
      return rules.some(({ id }) => id === ruleId) ? undefined : true;
    },
    { ...options, describe: 'The access rule' },
  );
}

export async function removeFloatingIp({ network }: BoundClient, id: string): Promise<void> {
  await isGone(network.floatingIps.remove(id));
}

export async function removePort({ network }: BoundClient, id: string): Promise<void> {
  await isGone(network.ports.remove(id));
}

/** Whoever gets an address next would be let in by the rules that name it: its port goes after them. */
export function addressKept(): Error {
  return conflict('The port keeps its address for as long as a share lets that in.');
}

/**
 * In a state that it does not leave by itself, and in which its service refuses an ordinary delete: a deletion
 * that failed, or a creation that has taken longer than any should.
 */
function isStuck(
  { status, created_at }: { status: string; created_at: string },
  { stuckAfterMs }: RemovalOptions,
): boolean {
  if (status === 'error_deleting') return true;
  return status === 'creating' && Date.now() - Date.parse(toTimestamp(created_at) ?? '') > stuckAfterMs;
}

/** What is read, or null when it is not there. */
export async function orNull<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** True when the service says that there is nothing to remove. */
async function isGone(removal: Promise<void>): Promise<boolean> {
  return (await orNull(removal.then(() => 'taken' as const))) === null;
}
