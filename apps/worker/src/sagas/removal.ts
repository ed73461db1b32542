import { type BoundClient, isNotFound, type WaitOptions, waitFor, waitForGone } from '@gateway/openstack';

/** Removals that may be repeated: what is gone already, or is just going, counts as removed. */

export interface Patience extends Omit<WaitOptions, 'describe' | 'timeoutMs'> {
  seconds: number;
}

export async function removeServer({ compute }: BoundClient, id: string, patience: Patience): Promise<void> {
  const { servers } = compute;
  if (await isGone(servers.remove(id))) return;
  await waitFor(
    async () => {
      const server = await orNull(servers.get(id));
      if (server === null || server.status === 'DELETED') return true;
      // The service may only hold it back for a while, with everything it has.
      if (server.status === 'SOFT_DELETED') await isGone(servers.forceDelete(id));
      return undefined;
    },
    waiting('The server', patience),
  );
}

/** Deletes a volume, unless it went with its server. */
export async function removeVolume(
  { blockStorage }: BoundClient,
  id: string,
  patience: Patience,
): Promise<void> {
  const { volumes } = blockStorage;
  const volume = await orNull(volumes.get(id));
  if (volume === null) return;
  if (volume.status !== 'deleting' && (await isGone(volumes.remove(id)))) return;
  await waitForGone(
    () => volumes.get(id),
    ({ status }) => status,
    { ...waiting('The volume', patience), failure: ['error_deleting'] },
  );
}

export async function removeShare(
  { sharedFileSystem }: BoundClient,
  id: string,
  patience: Patience,
): Promise<void> {
  const { shares } = sharedFileSystem;
  const share = await orNull(shares.get(id));
  if (share === null) return;
  if (share.status !== 'deleting' && (await isGone(shares.remove(id)))) return;
  await waitForGone(
    () => shares.get(id),
    ({ status }) => status,
    { ...waiting('The share', patience), failure: ['error_deleting'] },
  );
}

export async function removeAccessRule(
  { sharedFileSystem }: BoundClient,
  { shareId, ruleId }: { shareId: string; ruleId: string },
  patience: Patience,
): Promise<void> {
  const { accessRules } = sharedFileSystem;
  if (await isGone(accessRules.deny(shareId, ruleId))) return;
  await waitFor(
    async () => {
      const rules = await accessRules.list(shareId);
      return rules.some(({ id }) => id === ruleId) ? undefined : true;
    },
    waiting('The access rule', patience),
  );
}

export async function removeFloatingIp({ network }: BoundClient, id: string): Promise<void> {
  await isGone(network.floatingIps.remove(id));
}

export async function removePort({ network }: BoundClient, id: string): Promise<void> {
  await isGone(network.ports.remove(id));
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

function waiting(describe: string, { seconds, ...rest }: Patience): WaitOptions {
  return { ...rest, describe, timeoutMs: seconds * 1000 };
}
