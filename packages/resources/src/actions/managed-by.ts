import { CLUSTER_METADATA_KEY, isKept, isRestored, JOB_METADATA_KEY } from '@gateway/core';
import type { ShapeType } from '@gateway/core/shapes';
import type { managedByField } from './action-fields.ts';
import type { ServerState } from './instance-rule.ts';

/**
 * What a resource belongs to, and what changes or deletes it by itself. `job`: one that is creating the
 * resource, or has created it. `cluster`: a lite cluster.
 */
export type ManagedBy = NonNullable<ShapeType<ReturnType<typeof managedByField>>>;

/** A node belongs to its cluster, and an instance that is being created to the job. */
export function managerOfInstance({ metadata, ...server }: ServerState): ManagedBy | null {
  const clusterId = metadata?.[CLUSTER_METADATA_KEY];
  if (clusterId !== undefined) return { type: 'cluster', id: clusterId };
  const jobId = metadata?.[JOB_METADATA_KEY];
  if (jobId === undefined || server['OS-EXT-STS:vm_state'] !== 'building') return null;
  return { type: 'job', id: jobId };
}

/**
 * A volume of a cluster belongs to it. A volume that a job has created, and that is deleted with its
 * instance, belongs to the instance, or to the job while it is not attached. A restored volume, which has a
 * copy of their marks, belongs to its user.
 */
export function managerOfVolume(volume: {
  metadata: Record<string, string> | null;
  attachments: readonly { server_id: string | null }[] | null;
}): ManagedBy | null {
  const { attachments, metadata } = volume;
  if (isRestored(volume)) return null;
  const clusterId = metadata?.[CLUSTER_METADATA_KEY];
  if (clusterId !== undefined) return { type: 'cluster', id: clusterId };
  const jobId = metadata?.[JOB_METADATA_KEY];
  if (jobId === undefined || isKept(volume)) return null;
  const instanceId = attachments?.[0]?.server_id ?? null;
  return instanceId === null ? { type: 'job', id: jobId } : { type: 'instance', id: instanceId };
}

/** A layer belongs to the job that has created it for an instance, a library to the job that builds it. */
export function managerOfFileStorage({
  metadata,
}: {
  metadata: Record<string, string> | null;
}): ManagedBy | null {
  if (metadata === null) return null;
  const isOwned = metadata.overlay_type === 'dynamic' || metadata.overlay_status === 'building';
  const jobId = metadata[JOB_METADATA_KEY] ?? metadata.overlay_instance;
  return isOwned && jobId !== undefined ? { type: 'job', id: jobId } : null;
}

/** A snapshot with the mark of a job belongs to it. */
export function managerOfSnapshot({
  metadata,
}: {
  metadata: Record<string, string> | null;
}): ManagedBy | null {
  const jobId = metadata?.[JOB_METADATA_KEY];
  return jobId === undefined ? null : { type: 'job', id: jobId };
}
