const CLIENT_NAME_PREFIX = 'gateway-';

/**
 * The client name with which an instance mounts its NATIVEFS shares. Client names are global in the storage, and a deletion
 * revokes access with the service user's rights, by the job id in the server's metadata, which the project can write. With
 * the project's id in the name, taken from the compute service's record, no project can name a client of another project.
 */
export function shareClientName(projectId: string, jobId: string): string {
  return `${CLIENT_NAME_PREFIX}${projectId}-${jobId}`;
}

/** True for the names that only the gateway may grant access to. */
export function isReservedClientName(name: string): boolean {
  return name.toLowerCase().startsWith(CLIENT_NAME_PREFIX);
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

/** True for an access rule of an instance or a builder: the gateway has created it, and removes it. */
export function isGatewayRule(rule: MarkedRule & { access_to: string }): boolean {
  return rule.metadata.gateway_job_id !== undefined || isReservedClientName(rule.access_to);
}

interface MarkedRule {
  metadata: Record<string, string>;
}
