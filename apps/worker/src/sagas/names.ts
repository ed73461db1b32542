/**
 * The name by which an instance mounts its NATIVEFS shares. It is made of the job that made the instance, and
 * holds the project, so that no project can ever name a client of another one's.
 */
export function shareClientName(projectId: string, jobId: string): string {
  return `gateway-${projectId}-${jobId}`;
}

/** Marks what a job made at the network service, where a description is all there is to mark it by. */
export function jobMark(jobId: string): string {
  return `gateway job ${jobId}`;
}
