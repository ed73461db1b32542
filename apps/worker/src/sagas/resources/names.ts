/**
 * The client name with which an instance mounts its NATIVEFS shares. It contains the project's id, so that no project can
 * name a client of another project.
 */
export function shareClientName(projectId: string, jobId: string): string {
  return `gateway-${projectId}-${jobId}`;
}

/**
 * Metadata of a volume that has the job's mark and stays when its instance is deleted. A rollback of the creation deletes
 * the volume all the same.
 */
export const KEEP_VOLUME_METADATA = { gateway_keep_volume: 'true' } as const;

/** True for a volume that the deletion of its instance must keep. */
export function isKept({ metadata }: { metadata: Record<string, string> }): boolean {
  return metadata.gateway_keep_volume === KEEP_VOLUME_METADATA.gateway_keep_volume;
}
