/**
 * Metadata of a volume that has the job's mark and stays when its instance is deleted. A rollback of the creation deletes
 * the volume all the same.
 */
export const KEEP_VOLUME_METADATA = { gateway_keep_volume: 'true' } as const;

/** True for a volume that the deletion of its instance must keep. */
export function isKept({ metadata }: { metadata: Record<string, string> }): boolean {
  return metadata.gateway_keep_volume === KEEP_VOLUME_METADATA.gateway_keep_volume;
}
