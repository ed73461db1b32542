/**
 * The client name with which an instance mounts its NATIVEFS shares. It contains the project's id, so that no project can
 * name a client of another project.
 */
export function shareClientName(projectId: string, jobId: string): string {
  return `gateway-${projectId}-${jobId}`;
}

/** Metadata that marks an access rule as the job's. Only a user who may change the rule can write its metadata. */
export function ruleMark(projectId: string, jobId: string): Record<string, string> {
  return { gateway_project_id: projectId, gateway_job_id: jobId };
}

/** True for an access rule that this job of this project has created. */
export function isRuleOf(rule: MarkedRule, projectId: string, jobId: string): boolean {
  const { gateway_project_id, gateway_job_id } = rule.metadata;
  return gateway_project_id === projectId && gateway_job_id === jobId;
}

interface MarkedRule {
  metadata: Record<string, string>;
}

/** Marks network resources, which have a description and no metadata. */
export function jobDescription(jobId: string): string {
  return `gateway job ${jobId}`;
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
