import { CLOCK_TOLERANCE_MS } from '@gateway/core';
import type { JobLeftover, OwningJob, ResourceOwners } from '@gateway/jobs';
import type { MarkedResource } from '../kinds/marked-resource.ts';

/** The known owners of marked resources. This data is never older than the records of the resources. */
export interface Owners {
  /** Read before the servers: a job or its server explains the resources of a creation in progress. */
  before: Pick<ResourceOwners, 'jobs'>;
  /** Read after the servers: they explain the resources that a deletion in progress still has to remove. */
  after: Pick<ResourceOwners, 'jobs' | 'underDeletion' | 'restoredAt'>;
  /** Resources that ended jobs could not remove, by `keyOf`. */
  leftovers: ReadonlyMap<string, JobLeftover>;
  clusters: ReadonlyMap<string, 'present' | 'removing' | 'gone'>;
  /** The jobs that created clusters which are not `gone`. */
  clusterJobIds: ReadonlySet<string>;
  servers: ServerMarks;
}

/** The servers of the cloud, or of the project of a resource. */
export interface ServerMarks {
  ids: ReadonlySet<string>;
  jobIds: ReadonlySet<string>;
  /** The shares that the servers mount for their libraries. */
  layerIds: ReadonlySet<string>;
  /** Projects with servers that the compute service cannot read at the moment. */
  unreadProjects: ReadonlySet<string>;
}

export interface JudgeOptions {
  now: number;
  /** How long the records of ended jobs are kept. */
  keepSeconds: number;
  /** How long a call can take effect after its job has ended. */
  lateCallSeconds: number;
}

/**
 * `owned`: a live resource or job has the resource, or may have it. `stray`: it has no owner. With a `doubt`,
 * an administrator should check it first.
 */
export type Verdict =
  | { kind: 'owned'; reason: string }
  | { kind: 'stray'; reason: string; doubt: string | null };

/**
 * Whether a marked resource has no owner any more. Missing information counts as an owner. See decision 74.
 */
export function judge(resource: MarkedResource, owners: Owners, options: JudgeOptions): Verdict {
  const use = useOf(resource, owners.servers);
  if (use !== null) return { kind: 'owned', reason: use };
  const leftover = owners.leftovers.get(keyOf(resource));
  if (leftover !== undefined) {
    const doubt = doubtOfProject(resource, leftover) ?? doubtOfRestore(resource);
    return { kind: 'stray', reason: leftover.reason, doubt };
  }
  if (resource.isRestored) return { kind: 'owned', reason: RESTORED };
  const reason = ownerOf(resource, owners);
  if (reason !== null) return { kind: 'owned', reason };
  const job = jobOf(resource, owners);
  const denial = job === undefined ? unknownJobMeans(resource, owners) : endedJobMeans(resource, job, owners);
  if (denial !== null) return { kind: 'owned', reason: denial };
  return {
    kind: 'stray',
    reason: strayReason(resource, job),
    doubt:
      job === undefined ? doubtWithoutJob(resource, owners, options) : doubtWithJob(resource, job, options),
  };
}

/** The key of a resource or of a job's leftover. */
export function keyOf({ type, id }: { type: string; id: string }): string {
  return `${type}:${id}`;
}

/** The user of the resource, as a sentence; null for none. */
function useOf({ id, serverIds, use }: MarkedResource, servers: ServerMarks): string | null {
  if (use !== null) return use;
  const server = serverIds.find((one) => servers.ids.has(one));
  if (server !== undefined) return `It is attached to instance ${server}.`;
  return servers.layerIds.has(id) ? 'An instance uses it for its libraries.' : null;
}

function jobOf({ jobId }: MarkedResource, { after, before }: Owners): OwningJob | undefined {
  return jobId === null ? undefined : (after.jobs.get(jobId) ?? before.jobs.get(jobId));
}

/** The owner of the resource, as a sentence; null for none. */
function ownerOf(resource: MarkedResource, owners: Owners): string | null {
  const { clusterId, id, instanceId, jobId, projectId, type } = resource;
  const { after, before, clusterJobIds, clusters, servers } = owners;
  const isDeleting = (one: string | null) => one !== null && after.underDeletion.has(one);
  if (isDeleting(id) || isDeleting(instanceId)) return 'It is being deleted with its instance.';
  const jobs = jobId === null ? [] : [before.jobs.get(jobId), after.jobs.get(jobId)];
  if (jobs.some((job) => job !== undefined && isOpen(job))) return `Job ${jobId} works on it.`;
  if (jobs.some((job) => job?.isSwept)) return `The gateway still removes what job ${jobId} has left.`;
  const presence = clusterId === null ? undefined : clusters.get(clusterId);
  if (presence === 'present') return `It belongs to lite cluster ${clusterId}.`;
  if (presence === 'removing') return `It is being deleted with lite cluster ${clusterId}.`;
  if (jobId !== null && clusterJobIds.has(jobId)) return 'It belongs to a lite cluster.';
  if (type === 'server') return null;
  if (instanceId !== null && servers.ids.has(instanceId)) return `It belongs to instance ${instanceId}.`;
  if (type === 'backup') return null;
  if (jobId !== null && servers.jobIds.has(jobId)) return 'It belongs to an instance.';
  if (isAnyUnread(projectId, servers)) return 'Not all instances of its project can be read now.';
  return null;
}

/** A server or a resource whose project is not known may be of any project. */
function isAnyUnread(projectId: string, { unreadProjects }: ServerMarks): boolean {
  if (projectId === '') return unreadProjects.size > 0;
  return unreadProjects.has(projectId) || unreadProjects.has('');
}

function isOpen({ status }: OwningJob): boolean {
  return status === 'queued' || status === 'running';
}

/**
 * A server keeps the mark of its creation for life, and so does a resource that belongs to its user once its
 * job has completed. Only a failed job is evidence.
 */
function endedJobMeans(
  { clusterId, isKept, type }: MarkedResource,
  { status, type: jobType }: OwningJob,
  { clusters }: Owners,
): string | null {
  if (status !== 'completed') return null;
  if (isKept) return 'Its job has completed.';
  if (type !== 'server') return null;
  // The machine of a library is deleted with its job, and the nodes of a cluster with the cluster.
  if (isOfServiceUser(jobType) || isGone(clusterId, clusters)) return null;
  return 'Its job has completed: it is an instance.';
}

function unknownJobMeans({ clusterId, isKept, type }: MarkedResource, { clusters }: Owners): string | null {
  if (type !== 'server' && !isKept) return null;
  if (isGone(clusterId, clusters)) return null;
  return 'The record of its job has expired, so it may have completed.';
}

function isGone(clusterId: string | null, clusters: Owners['clusters']): boolean {
  return clusterId !== null && clusters.get(clusterId) === 'gone';
}

const ENDS: Record<OwningJob['status'], string> = {
  queued: 'has not begun',
  running: 'is running',
  completed: 'has completed',
  failed: 'has failed',
  cancelled: 'was cancelled',
};

function strayReason({ clusterId, instanceId, jobId }: MarkedResource, job: OwningJob | undefined): string {
  if (instanceId !== null) return `Instance ${instanceId} does not exist.`;
  if (clusterId !== null) return `Lite cluster ${clusterId} does not exist, and no instance has it.`;
  return `Job ${jobId} ${job === undefined ? 'is not known any more' : ENDS[job.status]}, and no instance has it.`;
}

/** While the resource is young, an unknown job may be that of another gateway. */
function doubtWithoutJob(
  { createdAt, instanceId, type }: MarkedResource,
  { after: { restoredAt } }: Pick<Owners, 'after'>,
  { keepSeconds, now }: JudgeOptions,
): string | null {
  // The compute service knows the instances, and the gateway its clusters.
  if (instanceId !== null || type === 'server') return null;
  if (type === 'volume') {
    return 'The record of its job has expired: it may have been restored from a backup, which copies the mark, or accepted from a transfer.';
  }
  if (
    restoredAt !== null &&
    (createdAt === null || Date.parse(createdAt) < restoredAt + CLOCK_TOLERANCE_MS)
  ) {
    return "It is older than the last restore of the gateway's data, which lacks the jobs since the copy.";
  }
  const isOld = createdAt !== null && Date.parse(createdAt) < now - keepSeconds * 1000;
  return isOld
    ? null
    : 'It is younger than records of jobs are kept: its job may be that of another gateway.';
}

/** The mark of a resource that its users can copy, or move to another project. */
function doubtWithJob(
  resource: MarkedResource,
  job: OwningJob,
  { lateCallSeconds }: JudgeOptions,
): string | null {
  const foreign = doubtOfProject(resource, { projectId: job.projectId, jobType: job.type });
  if (foreign !== null) return foreign;
  if (job.isInterrupted) {
    return "A restore of the gateway's data has interrupted its job, which may have completed since the copy.";
  }
  const { createdAt, type } = resource;
  const { updatedAt } = job;
  if (type !== 'volume' && type !== 'server') return null;
  const latest = updatedAt + CLOCK_TOLERANCE_MS + lateCallSeconds * 1000;
  if (createdAt === null) {
    return 'The service does not say when it was created: it may have been restored from a backup, which copies the mark.';
  }
  if (Date.parse(createdAt) <= latest) return null;
  return 'It was created after its job had ended: it may have been restored from a backup, which copies the mark.';
}

function doubtOfProject(
  { projectId }: MarkedResource,
  job: Pick<JobLeftover, 'projectId' | 'jobType'>,
): string | null {
  if (isOfServiceUser(job.jobType) || projectId === job.projectId) return null;
  return 'It is in another project than its job: it may have been accepted from a transfer.';
}

const RESTORED = 'A backup was restored into it, which copied the mark: it belongs to its user.';

function doubtOfRestore({ isRestored }: MarkedResource): string | null {
  return isRestored ? 'A backup was restored into it: its user may need it.' : null;
}

/** Whether jobs of this type work in the project of the gateway's own user. */
function isOfServiceUser(jobType: string): boolean {
  return jobType === 'library.build' || jobType === 'library.verify';
}
