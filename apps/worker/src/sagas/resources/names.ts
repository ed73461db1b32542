/**
 * The name by which an instance mounts its NATIVEFS shares. It is made of the job that made the instance, and
 * holds the project, so that no project can ever name a client of another one's.
 */
export function shareClientName(projectId: string, jobId: string): string {
  return `gateway-${projectId}-${jobId}`;
}

/** Marks an access rule, which for NFS names nothing but an address. Only who may change the rule can write it. */
export function ruleMark(projectId: string, jobId: string): Record<string, string> {
  return { gateway_project_id: projectId, gateway_job_id: jobId };
}

/** True for a rule that this job made, and no other project's. */
export function isRuleOf(rule: MarkedRule, projectId: string, jobId: string): boolean {
  const { gateway_project_id, gateway_job_id } = rule.metadata;
  return gateway_project_id === projectId && gateway_job_id === jobId;
}

interface MarkedRule {
  metadata: Record<string, string>;
}

/** Marks what a job made at the network service, where a description is all there is to mark it by. */
export function jobMark(jobId: string): string {
  return `gateway job ${jobId}`;
}

/**
 * Metadata of a volume that stays when its instance is deleted, although it bears the job's mark. A creation that
 * fails removes the volume all the same.
 */
export const KEEP_VOLUME_METADATA = { gateway_keep_volume: 'true' } as const;

/** True for a volume that the deletion of its instance must leave alone. */
export function isKept({ metadata }: { metadata: Record<string, string> }): boolean {
  return metadata.gateway_keep_volume === KEEP_VOLUME_METADATA.gateway_keep_volume;
}
