import { newRequestId } from '@gateway/core';
import type { BoundClient, ProjectRecord } from '@gateway/openstack';
import { type QuotaInUse, readQuotasInUse } from '@gateway/resources';
import type { NearlyFullQuota } from '@gateway/webhooks';
import pLimit from 'p-limit';
import type { WorkerContext } from '../context.ts';

/** Each asks up to five services at once. */
const PROJECTS_AT_ONCE = 4;

/** Early enough to ask for more, and the same for all sites: what to do about it, receivers decide. */
const NEARLY_FULL_PERCENT = 80;
/** Use that moves around the other value must not be reported each time. */
const REPORTED_AGAIN_BELOW_PERCENT = 75;

type Project = Pick<ProjectRecord, 'id' | 'name'>;

/** What a run could not read. */
interface Misses {
  /** The numbers of projects, by service. */
  services: Record<string, number>;
  projects: number;
  error: unknown;
}

/**
 * Lets webhooks know which quotas are nearly full, once until their use has fallen. Reads the projects of
 * which some webhook learns. Only an administrator sees the quotas of all projects: without such a service
 * user, nothing is read.
 */
export async function reportNearlyFullQuotas(worker: WorkerContext): Promise<void> {
  const { config, logger, serviceAccount, stopping, webhooks } = worker;
  const { projectIds, site } = await webhooks.listenersTo('quota.nearly_full');
  if (!site && projectIds.size === 0) return;
  const call = { requestId: newRequestId() };
  const identity = await serviceAccount.identity(call);
  if (!identity?.roles.includes(config.identity.adminRole)) return;
  const openstack = await serviceAccount.bind(call);
  if (openstack === null) return;
  // The services return their default quotas for projects that do not exist.
  const projects = (await openstack.identity.projects.list()).filter(({ id }) => site || projectIds.has(id));
  const misses: Misses = { services: {}, projects: 0, error: null };
  await pLimit(PROJECTS_AT_ONCE).map(projects, async (project) => {
    if (stopping.signal.aborted) return;
    try {
      await reportProject(worker, openstack, project, misses);
    } catch (error) {
      misses.projects += 1;
      misses.error ??= error;
    }
  });
  if (stopping.signal.aborted) return;
  const { error, services } = misses;
  if (Object.keys(services).length > 0)
    logger.warn('Webhooks do not learn of the quotas of a service yet', { services });
  if (misses.projects > 0)
    logger.warn('Webhooks do not learn of the quotas of a project yet', { projects: misses.projects, error });
}

async function reportProject(
  worker: WorkerContext,
  openstack: BoundClient,
  project: Project,
  misses: Misses,
): Promise<void> {
  const { config, gpuQuotas, nearlyFullQuotas } = worker;
  const { quotas, unavailable } = await readQuotasInUse(project.id, {
    openstack,
    config,
    readGpuRecords: (id) => gpuQuotas.readProject(id),
  });
  for (const service of unavailable) misses.services[service] = (misses.services[service] ?? 0) + 1;
  const known = await nearlyFullQuotas.read(project.id);
  for (const quota of quotas) {
    const name = nameOf(quota);
    const nearlyFull = known.get(name);
    if (nearlyFull === undefined) {
      if (!hasReached(quota, NEARLY_FULL_PERCENT)) continue;
      const { inUse, limit } = quota;
      // Stored before its event, so that whoever repeats this after a death has the same time, and id.
      const begun = await nearlyFullQuotas.begin(project.id, name, { at: Date.now(), inUse, limit });
      await report(worker, project, quota, begun);
    } else if (!nearlyFull.isReported) {
      await report(worker, project, quota, nearlyFull);
    } else if (!hasReached(quota, REPORTED_AGAIN_BELOW_PERCENT)) {
      await nearlyFullQuotas.end(project.id, name);
    }
  }
}

async function report(
  { metrics, nearlyFullQuotas, webhooks }: WorkerContext,
  { id, name }: Project,
  quota: QuotaInUse,
  nearlyFull: NearlyFullQuota,
): Promise<void> {
  if (nearlyFull.isReported) return;
  const { at, inUse, limit } = nearlyFull;
  const lost = await webhooks.storeEvent({
    // It becomes a header, and the type of a GPU is any text.
    id: `${id}_quota_${quota.service}_${encodeURIComponent(quota.quota)}_${at}`,
    type: 'quota.nearly_full',
    at,
    projectId: id,
    data: {
      project_id: id,
      project_name: name,
      service: quota.service,
      quota: quota.quota,
      in_use: inUse,
      limit,
    },
  });
  if (lost > 0) metrics.webhookDelivered('failed', lost);
  await nearlyFullQuotas.setReported(id, nameOf(quota), nearlyFull);
}

function nameOf({ quota, service }: QuotaInUse): string {
  return `${service}:${quota}`;
}

/** A quota without a limit, or of nothing, is never near it. */
function hasReached({ inUse, limit }: QuotaInUse, percent: number): boolean {
  return limit > 0 && inUse * 100 >= limit * percent;
}
