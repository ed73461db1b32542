import type { BoundClient, PortRecord, ServerRecord, ShareRecord, VolumeRecord } from '@gateway/openstack';
import { JOB_METADATA_KEY } from '@gateway/views';
import { jobMark } from './names.ts';

/**
 * What a job has made, found again by its name and the job's mark on it. Whoever looks may be an administrator, who
 * sees other projects' things as well: the project is looked at too.
 *
 * There is more than one when a call came through after it had been given up. The one to keep comes first: one that has
 * not failed, and the oldest of those.
 */
export interface Maker {
  jobId: string;
  /** The project that it was made in. */
  projectId: string;
}

export async function findServers(
  { compute }: BoundClient,
  name: string,
  { jobId, projectId }: Maker,
): Promise<ServerRecord[]> {
  const servers = await compute.servers.listByName(name);
  const isMade = ({ metadata, tenant_id }: ServerRecord) =>
    metadata[JOB_METADATA_KEY] === jobId && tenant_id === projectId;
  return bestFirst(servers.filter(isMade), ({ created }) => created);
}

export async function findVolumes(
  { blockStorage }: BoundClient,
  name: string,
  { jobId, projectId }: Maker,
): Promise<VolumeRecord[]> {
  const volumes = await blockStorage.volumes.listByName(name);
  // A service that does not tell the project was asked for this one's volumes only.
  const isMade = ({ metadata, 'os-vol-tenant-attr:tenant_id': owner = projectId }: VolumeRecord) =>
    metadata[JOB_METADATA_KEY] === jobId && owner === projectId;
  return bestFirst(volumes.filter(isMade), ({ created_at }) => created_at);
}

/** @param markKey the key of the share's metadata that holds the job's id */
export async function findShares(
  { sharedFileSystem }: BoundClient,
  name: string,
  { jobId, projectId }: Maker,
  markKey: string = JOB_METADATA_KEY,
): Promise<ShareRecord[]> {
  const shares = await sharedFileSystem.shares.listByName(name);
  const isMade = ({ metadata, project_id }: ShareRecord) =>
    metadata[markKey] === jobId && project_id === projectId;
  return bestFirst(shares.filter(isMade), ({ created_at }) => created_at);
}

export async function findPorts(
  { network }: BoundClient,
  name: string,
  { jobId, projectId }: Maker,
): Promise<PortRecord[]> {
  const ports = await network.ports.list({ name });
  const isMade = ({ description, project_id }: PortRecord) =>
    description === jobMark(jobId) && project_id === projectId;
  return bestFirst(ports.filter(isMade), ({ created_at }) => created_at);
}

function bestFirst<T extends { status: string; id: string }>(
  found: T[],
  createdAt: (record: T) => string,
): T[] {
  const rank = (record: T) => (/^error/i.test(record.status) ? 1 : 0);
  return found.toSorted(
    (a, b) => rank(a) - rank(b) || createdAt(a).localeCompare(createdAt(b)) || a.id.localeCompare(b.id),
  );
}
