import { claimMarks, type LiteCluster } from '@gateway/lite';
import type { ProjectClient } from '@gateway/openstack';

type Owner = Pick<LiteCluster, 'id' | 'projectId'>;

/** The volumes of a cluster's claims, which a deletion leaves in the project. */
export async function countKeptVolumes(client: ProjectClient, { id, projectId }: Owner): Promise<number> {
  const mark = { [claimMarks.volume]: id };
  const found = await client.blockStorage.volumes.list({ metadata: JSON.stringify(mark) });
  const own = found.filter(
    (volume) =>
      volume.metadata[claimMarks.volume] === id &&
      (volume['os-vol-tenant-attr:tenant_id'] ?? projectId) === projectId,
  );
  return own.length;
}

/** The shares of a cluster's claims. */
export async function countKeptShares(client: ProjectClient, { id, projectId }: Owner): Promise<number> {
  const mark = { [claimMarks.share]: id };
  const found = await client.sharedFileSystem.shares.list({ metadata: JSON.stringify(mark) });
  const own = found.filter(
    ({ metadata, project_id }) => metadata[claimMarks.share] === id && project_id === projectId,
  );
  return own.length;
}
