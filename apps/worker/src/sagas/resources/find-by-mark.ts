import { JOB_METADATA_KEY, jobDescription } from '@gateway/core';
import {
  type BackupRecord,
  type BoundClient,
  descriptionOf,
  type ImageRecord,
  knownMarks,
  type PortRecord,
  type ServerRecord,
  type ShareRecord,
  type VolumeRecord,
} from '@gateway/openstack';

/**
 * Identifies what a job has created, together with the resource's name. The rights used for searching may be
 * an administrator's and show other projects' resources, so the project is compared as well.
 *
 * There are several resources if a late call has created a second one. They are sorted, with the one to keep
 * first: not failed, then oldest.
 */
export interface JobMark {
  jobId: string;
  /** The project that the resource was created in. */
  projectId: string;
}

export async function findServers(
  { compute }: BoundClient,
  name: string,
  { jobId, projectId }: JobMark,
): Promise<ServerRecord[]> {
  const servers = await compute.servers.listByName(name);
  const isMade = (server: ServerRecord) =>
    server.tenant_id === projectId && knownMarks('compute', server)[JOB_METADATA_KEY] === jobId;
  return bestFirst(servers.filter(isMade), ({ created }) => created);
}

export async function findVolumes(
  { blockStorage }: BoundClient,
  name: string,
  { jobId, projectId }: JobMark,
): Promise<VolumeRecord[]> {
  const volumes = await blockStorage.volumes.listByName(name);
  // A volume without a project comes from a list of this project's volumes only.
  const isMade = (volume: VolumeRecord) =>
    (volume['os-vol-tenant-attr:tenant_id'] ?? projectId) === projectId &&
    knownMarks('blockStorage', volume)[JOB_METADATA_KEY] === jobId;
  return bestFirst(volumes.filter(isMade), ({ created_at }) => created_at);
}

export async function findBackups(
  { blockStorage }: BoundClient,
  name: string,
  { jobId, projectId }: JobMark,
): Promise<BackupRecord[]> {
  const backups = await blockStorage.backups.list({ name });
  // A backup without a project comes from a list of this project's backups only.
  const isMade = (backup: BackupRecord) =>
    (backup['os-backup-project-attr:project_id'] ?? projectId) === projectId &&
    knownMarks('blockStorage', backup)[JOB_METADATA_KEY] === jobId;
  return bestFirst(backups.filter(isMade), ({ created_at }) => created_at);
}

/** @param markKey the key of the share's metadata that holds the job's id */
export async function findShares(
  { sharedFileSystem }: BoundClient,
  name: string,
  { jobId, projectId }: JobMark,
  markKey: string = JOB_METADATA_KEY,
): Promise<ShareRecord[]> {
  const shares = await sharedFileSystem.shares.listByName(name);
  const isMade = (share: ShareRecord) =>
    share.project_id === projectId && knownMarks('sharedFileSystem', share)[markKey] === jobId;
  return bestFirst(shares.filter(isMade), ({ created_at }) => created_at);
}

export async function findPorts(
  { network }: BoundClient,
  name: string,
  { jobId, projectId }: JobMark,
): Promise<PortRecord[]> {
  const ports = await network.ports.list({ name });
  const isMade = (port: PortRecord) =>
    port.project_id === projectId && descriptionOf(port) === jobDescription(jobId);
  return bestFirst(ports.filter(isMade), ({ created_at }) => created_at);
}

/** Images that are not published yet: until then they are named after their job. */
export async function findImages(
  { image }: BoundClient,
  { jobId, projectId }: JobMark,
): Promise<ImageRecord[]> {
  const name = jobDescription(jobId);
  const images = await image.images.list({ name, owner: projectId });
  const isMade = (record: ImageRecord) => record.name === name && record.owner === projectId;
  return bestFirst(images.filter(isMade), ({ created_at }) => created_at);
}

function bestFirst<T extends { status: string; id: string }>(
  found: T[],
  createdAt: (record: T) => string | null | undefined,
): T[] {
  // Some clouds do not say when something was created.
  const age = (record: T) => createdAt(record) ?? '';
  const rank = (record: T) => (/^error/i.test(record.status) ? 1 : 0);
  return found.toSorted(
    (a, b) => rank(a) - rank(b) || age(a).localeCompare(age(b)) || a.id.localeCompare(b.id),
  );
}
