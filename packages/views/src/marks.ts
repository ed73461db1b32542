/** Marks by which the gateway finds what it has created for a job or an instance. */

/** Key in the metadata of servers, volumes and shares: the id of the job that created them. */
export const JOB_METADATA_KEY = 'gateway_job_id';

/** Key in the metadata of volumes, snapshots and backups: the mark of the request that created them. */
export const REQUEST_METADATA_KEY = 'gateway_request';

/** The description of a network resource that a job has created: network resources have no metadata. */
export function jobDescription(jobId: string): string {
  return `gateway job ${jobId}`;
}

/** The description of a network resource that was created for an existing instance. */
export function instanceDescription(instanceId: string): string {
  return `gateway instance ${instanceId}`;
}

/** The descriptions of the network resources that the gateway has created for a server. */
export function descriptionsOf({ id, metadata }: { id: string; metadata: Record<string, string> }): string[] {
  const jobId = metadata[JOB_METADATA_KEY];
  return [instanceDescription(id), ...(jobId === undefined ? [] : [jobDescription(jobId)])];
}
