import { type JobPayload, type JobRecord, readExclusiveJob, readQueued } from '@gateway/jobs';
import { type LiteCluster, liteClusterSubject } from '@gateway/lite';
import type { AppContext } from '../context.ts';

/** The upgrade of a cluster that is in progress, or that has stopped and can be continued. */
export interface LiteClusterUpgrade {
  version: string;
  status: 'UPGRADING' | 'FAILED';
  /** In percent; null for one that has stopped. */
  progress: number | null;
  message: string | null;
  job_id: string | null;
}

interface Running {
  /** Null without one. */
  upgrade: LiteClusterUpgrade | null;
  /** The job that is changing the cluster; null without one. */
  busyWith: string | null;
}

interface UpgradedCluster extends Running {
  cluster: LiteCluster;
}

type Stores = Pick<AppContext, 'liteClusters' | 'redis'>;

/**
 * A cluster with its upgrade. The job may have ended since the record was read, so the record is read again
 * before an upgrade counts as stopped.
 */
export async function readLiteClusterUpgrade(app: Stores, cluster: LiteCluster): Promise<UpgradedCluster> {
  if (cluster.status !== 'ACTIVE') return { cluster, upgrade: null, busyWith: null };
  const running = await readRunning(app, cluster);
  if (running.upgrade !== null || cluster.upgrade === null) return { cluster, ...running };
  const current = (await app.liteClusters.read(cluster.id)) ?? cluster;
  if (current.status !== 'ACTIVE' || current.upgrade === null) {
    return { cluster: current, upgrade: null, busyWith: running.busyWith };
  }
  const { busyWith, upgrade } = await readRunning(app, current);
  return { cluster: current, upgrade: upgrade ?? stopped(current), busyWith };
}

async function readRunning({ redis }: Stores, { id }: LiteCluster): Promise<Running> {
  const job = await readExclusiveJob(redis.store, liteClusterSubject(id));
  const busyWith = job?.id ?? null;
  if (job?.type !== 'lite.upgrade') return { upgrade: null, busyWith };
  const queued = await readQueued(redis.store, job.id);
  const upgrade = queued === null ? null : inProgress(job, queued.payload as JobPayload<'lite.upgrade'>);
  return { upgrade, busyWith };
}

function inProgress(
  { id, message, progress }: JobRecord,
  { version }: JobPayload<'lite.upgrade'>,
): LiteClusterUpgrade {
  return { version, status: 'UPGRADING', progress, message, job_id: id };
}

function stopped({ statusReason, upgrade }: LiteCluster): LiteClusterUpgrade | null {
  if (upgrade === null) return null;
  return { version: upgrade.version, status: 'FAILED', progress: null, message: statusReason, job_id: null };
}
