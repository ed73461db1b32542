const CLIENT_NAME_PREFIX = 'gateway-';

/**
 * The client name with which an instance mounts its NATIVEFS shares. Client names are global in the storage.
 * A deletion revokes access with the service user's rights, by the job id in the server's metadata, which the
 * project can change. The name contains the project's id from the compute service's record, so that no
 * project can use the name of another project's client.
 */
export function shareClientName(projectId: string, jobId: string): string {
  return `${CLIENT_NAME_PREFIX}${projectId}-${jobId}`;
}

/** True for names to which only the gateway may grant access. */
export function isReservedClientName(name: string): boolean {
  return name.toLowerCase().startsWith(CLIENT_NAME_PREFIX);
}

/**
 * Metadata that marks an access rule with its job. Only users who may change the rule can set its metadata.
 */
export function ruleMark(projectId: string, jobId: string): Record<string, string> {
  return { gateway_project_id: projectId, gateway_job_id: jobId };
}

/** True for the metadata of an access rule that this job of this project created. */
export function isRuleOf(metadata: Record<string, string>, projectId: string, jobId: string): boolean {
  const { gateway_project_id, gateway_job_id } = metadata;
  return gateway_project_id === projectId && gateway_job_id === jobId;
}

/**
 * True for an access rule that the gateway created for an instance or a builder, and that it will remove;
 * also for one that may be such a rule, because the service does not say its metadata.
 */
export function isGatewayRule({
  access_to,
  metadata,
}: {
  access_to: string;
  metadata: Record<string, string> | null;
}): boolean {
  if (metadata === null) return true;
  return metadata.gateway_job_id !== undefined || isReservedClientName(access_to);
}
