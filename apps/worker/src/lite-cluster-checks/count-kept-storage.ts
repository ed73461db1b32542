import { claimMarks, type KeptStorage, type LiteCluster } from '@gateway/lite';
import { knownMarks, type ProjectClient } from '@gateway/openstack';

type Owner = Pick<LiteCluster, 'id' | 'projectId'>;

/** The ids of the volumes of a cluster's claims, which a deletion leaves in the project. */
export async function findKeptVolumes(client: ProjectClient, { id, projectId }: Owner): Promise<string[]> {
  const mark = { [claimMarks.volume]: id };
  const found = await client.blockStorage.volumes.list({ metadata: JSON.stringify(mark) });
  const own = found.filter(
    (volume) =>
      (volume['os-vol-tenant-attr:tenant_id'] ?? projectId) === projectId &&
      knownMarks('blockStorage', volume)[claimMarks.volume] === id,
  );
  return own.map((volume) => volume.id);
}

/** The ids of the shares of a cluster's claims. */
export async function findKeptShares(client: ProjectClient, { id, projectId }: Owner): Promise<string[]> {
  const mark = { [claimMarks.share]: id };
  const found = await client.sharedFileSystem.shares.list({ metadata: JSON.stringify(mark) });
  const own = found.filter(
    (share) =>
      share.project_id === projectId && knownMarks('sharedFileSystem', share)[claimMarks.share] === id,
  );
  return own.map((share) => share.id);
}

/** The volumes of a cluster's claims, and their snapshots. */
export async function countKeptVolumes(client: ProjectClient, owner: Owner): Promise<KeptStorage> {
  const ids = new Set(await findKeptVolumes(client, owner));
  const all = ids.size === 0 ? [] : await client.blockStorage.snapshots.list();
  const snapshots = all.filter(({ volume_id }) => ids.has(volume_id)).length;
  return { volumes: ids.size, shares: 0, snapshots };
}

/** The shares of a cluster's claims, and their snapshots. */
export async function countKeptShares(client: ProjectClient, owner: Owner): Promise<KeptStorage> {
  const ids = new Set(await findKeptShares(client, owner));
  const all = ids.size === 0 ? [] : await client.sharedFileSystem.snapshots.list();
  const snapshots = all.filter(({ share_id }) => ids.has(share_id)).length;
  return { volumes: 0, shares: ids.size, snapshots };
}
