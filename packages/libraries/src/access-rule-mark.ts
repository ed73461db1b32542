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
