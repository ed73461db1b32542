import type { BoundClient, PortRecord, ServerRecord, ShareRecord, VolumeRecord } from '@gateway/openstack';
import { JOB_METADATA_KEY } from '@gateway/views';
import { jobMark } from './names.ts';

/**
 * What a job has made, found again by its name and the job's mark on it. Whoever looks may be an administrator, who
 * sees other projects' things as well: the project is looked at too.
 */
export interface Maker {
  jobId: string;
  /** The project that it was made in. */
  projectId: string;
}

export async function findServer(
  { compute }: BoundClient,
  name: string,
  { jobId, projectId }: Maker,
): Promise<ServerRecord | null> {
  const servers = await compute.servers.listByName(name);
  const isMade = ({ metadata, tenant_id }: ServerRecord) =>
    metadata[JOB_METADATA_KEY] === jobId && tenant_id === projectId;
  return servers.find(isMade) ?? null;
}

export async function findVolume(
  { blockStorage }: BoundClient,
  name: string,
  { jobId, projectId }: Maker,
): Promise<VolumeRecord | null> {
  const volumes = await blockStorage.volumes.listByName(name);
  // A service that does not tell the project was asked for this one's volumes only.
  const isMade = ({ metadata, 'os-vol-tenant-attr:tenant_id': owner = projectId }: VolumeRecord) =>
    metadata[JOB_METADATA_KEY] === jobId && owner === projectId;
  return volumes.find(isMade) ?? null;
}

/** @param markKey the key of the share's metadata that holds the job's id */
export async function findShare(
  { sharedFileSystem }: BoundClient,
  name: string,
  { jobId, projectId }: Maker,
  markKey: string = JOB_METADATA_KEY,
): Promise<ShareRecord | null> {
  const shares = await sharedFileSystem.shares.listByName(name);
  return (
    shares.find(({ metadata, project_id }) => metadata[markKey] === jobId && project_id === projectId) ?? null
  );
}

export async function findPort(
  { network }: BoundClient,
  name: string,
  { jobId, projectId }: Maker,
): Promise<PortRecord | null> {
  const ports = await network.ports.list({ name });
  const isMade = ({ description, project_id }: PortRecord) =>
    description === jobMark(jobId) && project_id === projectId;
  return ports.find(isMade) ?? null;
}
