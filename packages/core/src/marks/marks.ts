/** Marks by which the gateway finds the resources that it has created for a job or an instance. */

/**
 * Key in the metadata of servers, volumes, backups and shares, and in the labels of managed clusters: the id
 * of the job that created them.
 */
export const JOB_METADATA_KEY = 'gateway_job_id';

/**
 * Key in the metadata of volumes, snapshots, backups and shares: the mark of the request that created them.
 */
export const REQUEST_METADATA_KEY = 'gateway_request';

/** Key in the metadata of servers and volumes: the id of their lite cluster. */
export const CLUSTER_METADATA_KEY = 'gateway_cluster_id';

/**
 * Metadata of a volume that has the job's mark and stays when its instance is deleted. A rollback of the
 * creation deletes the volume nevertheless.
 */
export const KEEP_VOLUME_METADATA = { gateway_keep_volume: 'true' } as const;

/** The same for a share: it belongs to its user once its job has completed. */
export const KEEP_SHARE_METADATA = { gateway_keep_share: 'true' } as const;

const KEEP_METADATA = Object.entries({ ...KEEP_VOLUME_METADATA, ...KEEP_SHARE_METADATA });

/**
 * Key in the metadata of a volume: the backup that was restored into it. The block storage service adds it as
 * the last act of a restore, which replaces all other metadata by those of the volume that was backed up. A
 * restore into that same volume adds none.
 */
const RESTORED_METADATA_KEY = 'src_backup_id';

/**
 * True for a volume into which the backup of another one was restored. Its marks are those of the other, and
 * it belongs to the user who restored it. Services before the release Ussuri do not say it.
 */
export function isRestored({ metadata }: { metadata: Record<string, string> | null }): boolean {
  return metadata?.[RESTORED_METADATA_KEY] !== undefined;
}

/**
 * True for a resource that stays when its job has completed, and when its instance is deleted; also for one
 * whose metadata are not known, or were copied by a restore.
 */
export function isKept({ metadata }: { metadata: Record<string, string> | null }): boolean {
  if (metadata === null || isRestored({ metadata })) return true;
  return KEEP_METADATA.some(([key, value]) => metadata[key] === value);
}

/**
 * The metadata that users see: without the mark of the request that created the resource, and without those
 * of a job that has created it for them.
 */
export function withoutMarks({
  metadata,
}: {
  metadata: Record<string, string> | null;
}): Record<string, string> {
  if (metadata === null) return {};
  const isUsers = isKept({ metadata });
  const isMark = (key: string) => key === REQUEST_METADATA_KEY || (isUsers && key.startsWith('gateway_'));
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !isMark(key)));
}

/**
 * The description of a network resource that a job has created, because network resources have no metadata.
 */
export function jobDescription(jobId: string): string {
  return `gateway job ${jobId}`;
}

/** The description of a network resource that was created for an existing instance. */
export function instanceDescription(instanceId: string): string {
  return `gateway instance ${instanceId}`;
}

/** The descriptions of the network resources that the gateway has created for a server. */
export function descriptionsOf({
  id,
  metadata,
}: {
  id: string;
  metadata: Record<string, string> | null;
}): string[] {
  const jobId = metadata?.[JOB_METADATA_KEY];
  return [instanceDescription(id), ...(jobId === undefined ? [] : [jobDescription(jobId)])];
}

const DESCRIPTION = /^gateway (job|instance) ([0-9a-f-]{36})$/;

/** The job or the instance in the description of a network resource; null if that is not known. */
export function ownerInDescription(description: string | null): {
  jobId: string | null;
  instanceId: string | null;
} {
  const [, kind, id = null] = DESCRIPTION.exec(description ?? '') ?? [];
  return { jobId: kind === 'job' ? id : null, instanceId: kind === 'instance' ? id : null };
}
